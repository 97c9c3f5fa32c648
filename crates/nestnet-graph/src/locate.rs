//! Which node has an address? Asked of the network, digit by digit where its nodes are made of those of another.

use crate::radix::{digits, number};
use crate::{Address, AddressError, Network, Node};

/// The node that `text` names in `network`: an address as the network writes it, also without the outer brackets of a
/// tuple, or else an id.
///
/// A text that could be both is an address; they agree wherever the network writes addresses as plain numbers. A number
/// with leading zeros is an address or nothing: who writes it means digits.
pub fn locate(network: &dyn Network, text: &str) -> Result<Node, AddressError> {
    let address = Address::parse_bare(text).ok();
    // A name may have brackets of its own.
    let named = network.node(&Address::word(text)).or_else(|| network.node(address.as_ref()?));
    let by_id = || address.as_ref()?.as_number().filter(|&id| id < network.order()).map(Node);
    let has_zero = address.as_ref().is_some_and(Address::has_leading_zero);
    let is_written = |at: &Node| !has_zero || address.as_ref() == Some(&network.address(*at));
    // Whatever is wrong with the text, what helps is to see an address of this network.
    named.or_else(by_id).filter(is_written).ok_or_else(|| {
        let last = network.order() - 1;
        let (text, example) = (text.to_owned(), network.address(Node(last)).to_string());
        match has_zero {
            true => AddressError::LeadingZero { text, example },
            false => AddressError::Unknown { text, last, example },
        }
    })
}

/// The address of a node that is `count` digits, each a node of `base`, most significant first.
pub fn of_digits(base: &dyn Network, at: Node, count: usize) -> Address {
    let digits = digits(at.0, &vec![base.order(); count]).into_iter();
    Address::Tuple(digits.map(|digit| base.address(Node(digit))).collect())
}

/// The node whose address is `count` digits, each a node of `base`.
pub fn node_of_digits(base: &dyn Network, address: &Address, count: usize) -> Option<Node> {
    let digits = address.as_tuple()?.iter().map(|part| Some(base.node(part)?.0));
    number(&digits.collect::<Option<Vec<_>>>()?, &vec![base.order(); count]).map(Node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_no_node_is_shown_one() {
        let csr = crate::Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20).unwrap();
        assert_eq!(locate(&csr, "2"), Ok(Node(2)));
        for text in ["3", "-3", "(1,x)", "", "99999999999999999999999"] {
            let message =
                format!("no node `{text}`: give an id from 0 to 2 or an address such as `2`");
            assert_eq!(locate(&csr, text).unwrap_err().to_string(), message);
        }
        assert_eq!(
            locate(&csr, "02").unwrap_err().to_string(),
            "no node `02`: an id has no leading zeros, and an address is written `2`"
        );
    }
}
