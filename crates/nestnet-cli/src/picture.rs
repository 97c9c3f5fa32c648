//! Which picture formats are there besides SVG, and how is one made of it?

use anyhow::bail;
use nestnet::draw::{Frame, Theme};
use std::path::Path;

/// How a picture is set: options of every verb that draws.
#[derive(Clone, Copy, clap::Args)]
pub struct Setting {
    /// Leave the title to the caption of a paper
    #[arg(long)]
    no_title: bool,
    /// How wide the picture is, such as 85 for a column of a paper [default: as it comes]
    #[arg(long, value_name = "MILLIMETERS", value_parser = millimeters)]
    width: Option<f64>,
    /// The colors; `auto` is light in print and as the screen of the reader is set up
    #[arg(long, value_enum, default_value_t = ThemeName::Auto)]
    theme: ThemeName,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ThemeName {
    /// Light, in SVG also dark where the screen is
    Auto,
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
}

impl Setting {
    /// What is written, and how wide it is.
    pub fn frame(self) -> Frame {
        Frame { no_title: self.no_title, width: self.width, ..Frame::default() }
    }

    /// The colors in a format.
    pub fn theme(self, format: Format) -> Theme {
        match self.theme {
            ThemeName::Auto => format.theme(),
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        }
    }

    /// An error where one of the options is given and nothing is drawn; `needed` would draw.
    pub fn needs(self, is_drawn: bool, needed: &str) -> anyhow::Result<()> {
        let given = [
            ("--no-title", self.no_title),
            ("--width", self.width.is_some()),
            ("--theme", self.theme != ThemeName::Auto),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) if !is_drawn => bail!("{name} needs {needed}"),
            _ => Ok(()),
        }
    }
}

/// From a centimeter to two meters.
fn millimeters(text: &str) -> Result<f64, String> {
    let width = text.trim().trim_end_matches("mm").trim_end().parse().ok();
    let width = width.filter(|width| (10.0..=2000.0).contains(width));
    width.ok_or_else(|| "expected millimeters from 10 to 2000".to_owned())
}

/// A picture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As it is drawn.
    Svg,
    /// Pixels.
    Png,
    /// A page to print.
    Pdf,
    /// TikZ, for LaTeX.
    Tikz,
}

impl Format {
    /// The format that the ending of a file's name asks for.
    pub fn of(path: &Path) -> anyhow::Result<Self> {
        Self::among(path, ".svg, .png, .pdf or .tex")
    }

    /// The same where the name may have other endings too.
    pub fn among(path: &Path, endings: &str) -> anyhow::Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "svg" => Format::Svg,
            "png" => Format::Png,
            "pdf" => Format::Pdf,
            "tex" | "tikz" => Format::Tikz,
            _ => bail!("{}: the name must end in {endings}", path.display()),
        };
        // Known before the work, not after it.
        #[cfg(not(feature = "raster"))]
        if format != Format::Svg {
            bail!("{}: {}", path.display(), Self::left_out());
        }
        Ok(format)
    }

    /// The colors that suit it: in SVG as the screen of the reader is set up, otherwise light.
    pub fn theme(self) -> Theme {
        if self == Format::Svg { Theme::Automatic } else { Theme::Light }
    }

    /// The file of a picture.
    pub fn convert(self, svg: &str) -> anyhow::Result<Vec<u8>> {
        match self {
            Format::Svg => Ok(svg.as_bytes().to_vec()),
            #[cfg(feature = "raster")]
            Format::Png => raster::png(svg),
            #[cfg(feature = "raster")]
            Format::Pdf => raster::pdf(svg),
            #[cfg(feature = "raster")]
            Format::Tikz => raster::tikz(svg),
            #[cfg(not(feature = "raster"))]
            _ => bail!(Self::left_out()),
        }
    }

    #[cfg(not(feature = "raster"))]
    fn left_out() -> String {
        crate::left_out("PNG, PDF and TikZ")
    }
}

#[cfg(feature = "raster")]
mod raster {
    use anyhow::Context as _;
    use resvg::tiny_skia::{Pixmap, Transform};
    use std::sync::Arc;
    use svg2pdf::usvg::{Options, Tree, fontdb};
    use svg2pdf::{ConversionOptions, PageOptions};

    /// How many pixels of a PNG one of the SVG becomes.
    const PIXELS: f32 = 2.0;

    /// Pixels of an SVG in an inch, so that `--width` is as wide on a page.
    const DPI: f32 = 96.0;

    fn tree(svg: &str) -> anyhow::Result<Tree> {
        Tree::from_str(svg, &options()).context("the picture is not read")
    }

    pub fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
        let tree = tree(svg)?;
        let size = tree.size().to_int_size().scale_by(PIXELS);
        let size = size.context("the picture has no size")?;
        let pixmap = Pixmap::new(size.width(), size.height());
        let mut pixmap = pixmap.context("the picture does not fit in memory")?;
        resvg::render(&tree, Transform::from_scale(PIXELS, PIXELS), &mut pixmap.as_mut());
        pixmap.encode_png().context("the picture cannot be packed")
    }

    pub fn pdf(svg: &str) -> anyhow::Result<Vec<u8>> {
        svg2pdf::to_pdf(&tree(svg)?, ConversionOptions::default(), PageOptions { dpi: DPI })
            .map(in_order)
            .map_err(|error| anyhow::anyhow!("the page cannot be made: {error:?}"))
    }

    pub fn tikz(svg: &str) -> anyhow::Result<Vec<u8>> {
        Ok(crate::tikz::write(&tree(svg)?).into_bytes())
    }

    /// Text in a font of our own, whatever the system has, so that a picture is the same everywhere.
    fn options() -> Options<'static> {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(dejavu::sans_condensed::regular().to_vec());
        fonts.set_sans_serif_family("DejaVu Sans");
        Options {
            fontdb: Arc::new(fonts),
            font_family: "sans-serif".to_owned(),
            ..Options::default()
        }
    }

    /// The graphics states of a page in order; `svg2pdf` lists them by hash. No byte moves but theirs.
    fn in_order(mut pdf: Vec<u8>) -> Vec<u8> {
        const LIST: &[u8] = b"/ExtGState <<\n";
        let mut from = 0;
        while let Some(at) = find(&pdf[from..], LIST) {
            from += at + LIST.len();
            let Some(length) = find(&pdf[from..], b">>") else { break };
            let list = &mut pdf[from..from + length];
            let mut lines: Vec<Vec<u8>> =
                list.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            // The last is the indentation of the end.
            let count = lines.len().saturating_sub(1);
            lines[..count].sort();
            list.copy_from_slice(&lines.concat());
        }
        pdf
    }

    fn find(text: &[u8], word: &[u8]) -> Option<usize> {
        text.windows(word.len()).position(|window| window == word)
    }
}
