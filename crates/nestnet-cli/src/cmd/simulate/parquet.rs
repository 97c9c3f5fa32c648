//! Every packet as Parquet: the columns of the CSV, typed, and a row group for each load.

use super::show::{all, kind};
use nestnet::sim::{PacketRecord, Point};
use nestnet::simulated::Run;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

/// What a cell is, and how it is found.
enum Cell {
    Text(fn(&Run, &Point, &PacketRecord) -> String),
    Number(fn(&Point) -> f64),
    Integer(fn(&PacketRecord) -> u64),
}

static COLUMNS: [(&str, Cell); 11] = [
    ("spec", Cell::Text(|run, _, _| run.spec.clone())),
    ("router", Cell::Text(|run, _, _| run.router.clone())),
    ("offered", Cell::Number(|point| point.offered)),
    ("from", Cell::Integer(|packet| packet.from.0)),
    ("to", Cell::Integer(|packet| packet.to.0)),
    ("kind", Cell::Text(|_, point, packet| kind(point, packet).to_owned())),
    ("flits", Cell::Integer(|packet| packet.flits.into())),
    ("created", Cell::Integer(|packet| packet.created)),
    ("entered", Cell::Integer(|packet| packet.entered)),
    ("arrived", Cell::Integer(|packet| packet.arrived)),
    ("hops", Cell::Integer(|packet| packet.hops.into())),
];

/// The whole file.
pub fn packets(runs: &[Run]) -> Result<Vec<u8>> {
    let fields: Result<Vec<TypePtr>> =
        COLUMNS.iter().map(|(name, cell)| field(name, cell)).collect();
    let schema = Arc::new(Type::group_type_builder("packets").with_fields(fields?).build()?);
    let made_by = concat!("nestnet ", env!("CARGO_PKG_VERSION"));
    let properties = WriterProperties::builder().set_created_by(made_by.to_owned()).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    for (run, point) in all(runs) {
        let packets = &point.records.packets;
        let mut group = writer.next_row_group()?;
        for (_, cell) in &COLUMNS {
            let Some(mut out) = group.next_column()? else { break };
            match cell {
                Cell::Text(of) => {
                    let text = |packet| ByteArray::from(of(run, point, packet).as_str());
                    let cells: Vec<ByteArray> = packets.iter().map(text).collect();
                    out.typed::<ByteArrayType>().write_batch(&cells, None, None)?;
                }
                Cell::Number(of) => {
                    let cells = vec![of(point); packets.len()];
                    out.typed::<DoubleType>().write_batch(&cells, None, None)?;
                }
                Cell::Integer(of) => {
                    let whole = |packet| i64::try_from(of(packet)).unwrap_or(i64::MAX);
                    let cells: Vec<i64> = packets.iter().map(whole).collect();
                    out.typed::<Int64Type>().write_batch(&cells, None, None)?;
                }
            }
            out.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(bytes)
}

fn field(name: &str, cell: &Cell) -> Result<TypePtr> {
    let (physical, logical) = match cell {
        Cell::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Cell::Number(_) => (Physical::DOUBLE, None),
        Cell::Integer(_) => (Physical::INT64, None),
    };
    let field = Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::REQUIRED)
        .build()?;
    Ok(Arc::new(field))
}
