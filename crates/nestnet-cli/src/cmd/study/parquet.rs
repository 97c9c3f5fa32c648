//! The table of a study as Parquet: a typed column for each of its columns, nulls where a point says nothing.

use nestnet::study::{Column, Kind, Table};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

/// The whole file.
pub fn bytes(table: &Table) -> Result<Vec<u8>> {
    let columns = table.columns();
    let fields: Result<Vec<TypePtr>> = columns.iter().map(|column| field(column)).collect();
    let schema = Arc::new(Type::group_type_builder("study").with_fields(fields?).build()?);
    let made_by = concat!("nestnet ", env!("CARGO_PKG_VERSION"));
    let properties = WriterProperties::builder().set_created_by(made_by.to_owned()).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for column in columns {
        let Some(mut out) = group.next_column()? else { break };
        match column.kind {
            Kind::Truth => fill::<BoolType>(&mut out, column, |text| text.parse().ok())?,
            Kind::Integer => fill::<Int64Type>(&mut out, column, |text| text.parse().ok())?,
            Kind::Number => fill::<DoubleType>(&mut out, column, |text| text.parse().ok())?,
            Kind::Text => {
                fill::<ByteArrayType>(&mut out, column, |text| Some(ByteArray::from(text)))?
            }
        }
        out.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(bytes)
}

fn field(column: &Column) -> Result<TypePtr> {
    let (physical, logical) = match column.kind {
        Kind::Truth => (Physical::BOOLEAN, None),
        Kind::Integer => (Physical::INT64, None),
        Kind::Number => (Physical::DOUBLE, None),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()?;
    Ok(Arc::new(field))
}

fn fill<T: DataType>(
    out: &mut SerializedColumnWriter<'_>,
    column: &Column,
    read: impl Fn(&str) -> Option<T::T>,
) -> Result<()> {
    let cells = column.cells.iter().map(|cell| cell.as_deref().and_then(&read));
    let levels: Vec<i16> = cells.clone().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.flatten().collect();
    out.typed::<T>().write_batch(&values, Some(&levels), None)?;
    Ok(())
}
