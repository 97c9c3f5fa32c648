//! Which rows and which of their keys do names ask for?

use super::{Analysis, Answer, Fact, MEASURES, Measure, Unanswered};
use nestnet_topologies::family::closest;

/// Some keys of a row.
#[derive(Clone)]
pub struct Question {
    /// The row.
    pub measure: &'static Measure,
    /// Which of its keys are asked for, in its order.
    pub keys: Vec<&'static str>,
}

impl Question {
    /// Finds the answers.
    pub fn answer(&self, subject: &Analysis<'_>) -> Vec<Fact> {
        (self.measure.find)(subject, &self.keys)
    }
}

/// What `names` ask for, each the name of a row or one of its keys, or `all`. Without names the rows that are quick, and
/// where proofs have no limit also those that are omitted because they take long.
pub fn choose(names: &[String], subject: &Analysis<'_>) -> Result<Vec<Question>, Unanswered> {
    let known = |name: &str| {
        name == "all" || MEASURES.iter().any(|row| row.name == name || row.keys.contains(&name))
    };
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let rows: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
        let keys = MEASURES.iter().flat_map(|measure| measure.keys.iter().copied());
        let near = closest(name, keys.chain(rows.iter().copied()));
        return Err(Unanswered::Unknown { key: name.to_owned(), near, known: rows });
    }
    let asked = |name: &str| names.iter().any(|asked| asked == name);
    let questions = MEASURES.iter().map(|measure| {
        let whole = match names {
            [] => measure.is_quick(subject) || subject.is_exact() && measure.is_skipped(subject),
            _ => asked("all") || asked(measure.name),
        };
        let keys = measure.keys.iter().copied().filter(|key| whole || asked(key)).collect();
        Question { measure, keys }
    });
    Ok(questions.filter(|question| !question.keys.is_empty()).collect())
}

impl Analysis<'_> {
    /// The answer to one question, by its key.
    ///
    /// ```
    /// use nestnet_topologies::build;
    /// use nestnet_analysis::measures::{Limits, Analysis};
    ///
    /// let built = build("rdn(torus(5, 5), 2)").unwrap();
    /// let subject = Analysis::new(&built, Limits::default());
    /// assert_eq!(subject.answer("diameter")?.to_string(), "22, by theorem");
    /// assert!(subject.answer("diametre").unwrap_err().to_string().contains("did you mean `diameter`?"));
    /// # Ok::<(), nestnet_analysis::measures::Unanswered>(())
    /// ```
    pub fn answer(&self, key: &str) -> Result<Answer, Unanswered> {
        let keys = MEASURES.iter().flat_map(|row| row.keys.iter().map(move |&known| (row, known)));
        // A key may be called as a row is, which means several answers.
        let Some((row, key)) = keys.into_iter().find(|(_, known)| *known == key) else {
            choose(&[key.to_owned()], self)?;
            return Err(Unanswered::None);
        };
        (row.find)(self, &[key]).pop().ok_or(Unanswered::None)?.answer
    }
}
