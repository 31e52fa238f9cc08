//! Groups of nodes in order of their names, as numbers of as many bits as the largest has.

use webrank_base::Node;

/// The nodes in a group. Looking a name up reads a group and the names of 8 of its nodes.
pub(super) const GROUP: usize = 256;

/// The bits of the numbers below `count`.
pub(super) fn width(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}

/// Numbers of `width` bits, the lowest bits first.
pub(super) fn pack(nodes: &[Node], width: u32) -> Vec<u8> {
    let (mut bytes, mut bits, mut filled) = (Vec::new(), 0u64, 0);
    for &node in nodes {
        bits |= u64::from(node) << filled;
        filled += width;
        while filled >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        bytes.push(bits as u8);
    }
    bytes
}

/// So many numbers of `width` bits, each below `limit`; none if the bytes are not that.
pub(super) fn unpack(bytes: &[u8], count: usize, width: u32, limit: u64) -> Option<Vec<Node>> {
    if bytes.len() != (count * width as usize).div_ceil(8) {
        return None;
    }
    let (mut bits, mut filled, mut bytes) = (0u64, 0, bytes.iter());
    let mut nodes = Vec::with_capacity(count);
    for _ in 0..count {
        while filled < width {
            bits |= u64::from(*bytes.next()?) << filled;
            filled += 8;
        }
        nodes.push((bits & ((1 << width) - 1)) as Node);
        bits >>= width;
        filled -= width;
    }
    let is_right = bits == 0 && nodes.iter().all(|&node| u64::from(node) < limit);
    is_right.then_some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            nodes in prop::collection::vec(any::<u32>(), 0..300),
            bits in 0u32..=32,
        ) {
            let limit = 1u64 << bits;
            let nodes: Vec<Node> =
                nodes.into_iter().map(|node| (u64::from(node) % limit) as Node).collect();
            let bytes = pack(&nodes, bits);
            prop_assert_eq!(width(limit), bits);
            prop_assert_eq!(unpack(&bytes, nodes.len(), bits, limit), Some(nodes.clone()));
            if let Some(&largest) = nodes.iter().max() {
                let too_small = unpack(&bytes, nodes.len(), bits, largest.into());
                prop_assert_eq!(too_small, None);
            }
        }
    }
}
