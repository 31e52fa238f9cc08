use std::time::Instant;
use webrank::{graph::Source, progress::Silent};
fn main() {
    let path = std::env::args().nth(1).unwrap();
    for _ in 0..3 {
        let t = Instant::now();
        let s = Source::open(path.as_ref()).unwrap();
        let c = s.compressed().unwrap();
        println!("open+offsets {:?}", t.elapsed());
        let t = Instant::now();
        let mut m = 0u64;
        use webrank::graph::Rows;
        c.for_rows(0..c.num_nodes(), &mut |_, r| m += r.len() as u64)
            .unwrap();
        println!(
            "sequential scan {:?} {m} {} ns/arc",
            t.elapsed(),
            t.elapsed().as_nanos() as f64 / m as f64
        );
        let t = Instant::now();
        let g = s.successors(&Silent).unwrap();
        println!("successors {:?}", t.elapsed());
        let t = Instant::now();
        let b = s.predecessors(&Silent).unwrap();
        println!("predecessors {:?}", t.elapsed());
        assert_eq!(b.rows, g.transpose().unwrap());
    }
}
