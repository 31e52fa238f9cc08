//! Entities in texts, which stand for characters that GML's ASCII does not have: `&#233;`, `&eacute;`.

/// The names of HTML's entities for the characters from 160 to 255.
const LATIN_1: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg \
    plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
    Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH \
    Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave \
    aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth \
    ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/// A text with its entities as characters. Anything else stays as it is.
pub(super) fn resolved(text: &str) -> String {
    let mut resolved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        resolved.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.bytes().take(LONGEST).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, character(&rest[1..end])?))) {
            Some((end, character)) => {
                resolved.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                resolved.push('&');
                rest = &rest[1..];
            }
        }
    }
    resolved + rest
}

/// No entity is longer.
const LONGEST: usize = 12;

fn character(entity: &str) -> Option<char> {
    if let Some(number) = entity.strip_prefix('#') {
        let hexadecimal = number.strip_prefix(['x', 'X']);
        let number = match hexadecimal {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(number).filter(|&character| character != '\0');
    }
    Some(match entity {
        "quot" => '"',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "apos" => '\'',
        _ => {
            let place = LATIN_1.split(' ').filter(|name| !name.is_empty());
            let place = place.into_iter().position(|name| name == entity)?;
            char::from_u32(160 + place as u32)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_characters() {
        for (text, expected) in [
            ("a &quot;b&quot; &amp;lt; c", "a \"b\" &lt; c"),
            ("&#233;&#xE9;&eacute;&nbsp;&yuml;&szlig;", "ééé\u{a0}ÿß"),
            (
                "R&D; &unknown; &#0; &#x110000; & &",
                "R&D; &unknown; &#0; &#x110000; & &",
            ),
            ("", ""),
            ("&é;&#;", "&é;&#;"),
        ] {
            assert_eq!(resolved(text), expected);
        }
    }
}
