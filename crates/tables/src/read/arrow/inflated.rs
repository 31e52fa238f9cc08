//! The size of a compressed batch of Arrow data by its own account, checked before a reader believes it.

use arrow_ipc::{CompressionType, Message};

/// The bytes that the compressed columns of a batch inflate to by their own account; the decoder
/// reserves so much.
///
/// # Errors
/// If a column lies outside the body of the batch, or says that it inflates to more than its bytes can.
pub(super) fn inflated(message: &Message, body: &[u8]) -> Result<u64, &'static str> {
    let batch = message.header_as_record_batch();
    let batch = batch.or_else(|| message.header_as_dictionary_batch()?.data());
    let Some((batch, compression)) = batch.and_then(|batch| Some((batch, batch.compression()?)))
    else {
        return Ok(0);
    };
    let mut sum = 0u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let place = usize::try_from(buffer.offset()).ok();
        let place = place.zip(usize::try_from(buffer.length()).ok());
        let place = place.and_then(|(start, bytes)| body.get(start..start.checked_add(bytes)?));
        let column = place.ok_or("a column lies outside its batch")?;
        let Some(size) = column.first_chunk() else {
            continue;
        };
        // -1: not compressed.
        let size = i64::from_le_bytes(*size).max(0) as u64;
        if size > most(compression.codec(), column.len() as u64) {
            return Err("a column inflates to more than it can");
        }
        sum = sum.saturating_add(size);
    }
    Ok(sum)
}

/// The most that so many bytes can inflate to.
fn most(codec: CompressionType, bytes: u64) -> u64 {
    // A byte of lz4 lengthens a match by 255 at most. A block of zstd has 4 bytes at least, and
    // inflates to 128 KiB at most.
    let times = if codec == CompressionType::LZ4_FRAME {
        255
    } else {
        1 << 15
    };
    bytes.saturating_mul(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, Int64Array, RecordBatch};
    use arrow_ipc::root_as_message;
    use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
    use std::sync::Arc;

    /// The last message of a stream with one column, and its body.
    fn message(values: Int64Array, codec: CompressionType) -> (Vec<u8>, Vec<u8>) {
        let column: ArrayRef = Arc::new(values);
        let batch = RecordBatch::try_from_iter([("x", column)]).unwrap();
        let options = IpcWriteOptions::default().try_with_compression(Some(codec));
        let mut writer =
            StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options.unwrap())
                .unwrap();
        writer.write(&batch).unwrap();
        let stream = writer.into_inner().unwrap();
        let length =
            |at: usize| u32::from_le_bytes(stream[at + 4..at + 8].try_into().unwrap()) as usize;
        let start = 8 + length(0);
        let body = start + 8 + length(start);
        (stream[start + 8..body].to_vec(), stream[body..].to_vec())
    }

    #[test]
    fn columns_that_compress_best_are_believed_and_greater_claims_are_not() {
        for codec in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
            let (metadata, mut body) = message(Int64Array::from(vec![7; 1 << 22]), codec);
            let message = root_as_message(&metadata).unwrap();
            assert_eq!(inflated(&message, &body), Ok(8 << 22));
            let batch = message.header_as_record_batch().unwrap();
            let buffers = batch.buffers().unwrap();
            let column = buffers.get(buffers.len() - 1);
            let most = most(codec, column.length() as u64) as i64;
            let place = column.offset() as usize;
            body[place..place + 8].copy_from_slice(&(most + 1).to_le_bytes());
            let problem = inflated(&message, &body).unwrap_err();
            assert!(problem.contains("more than it can"), "{problem}");
            body.truncate(place + 7);
            let problem = inflated(&message, &body).unwrap_err();
            assert!(problem.contains("outside its batch"), "{problem}");
        }
    }
}
