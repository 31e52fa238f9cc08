use super::*;

#[test]
fn three_ways_match_rows_alike() {
    let few = |modulus: u32| move |node: u32| f64::from(node * 7919 % 1009 % modulus);
    for (of_x, of_y) in [(1009, 5), (5, 1009), (5, 3), (1, 4)] {
        let x: Vec<f64> = (0..1000).map(few(of_x)).collect();
        let y: Vec<f64> = (0..1000).rev().map(few(of_y)).collect();
        let (x, y) = (Ranking::new(&x).unwrap(), Ranking::new(&y).unwrap());
        let [one, two, three] = [match_many, match_few_in_x, match_few_in_y].map(|matched| {
            let (classes, rows) = matched(&x, &y);
            let rows = rows
                .iter()
                .map(|row| (row.class, row.rank_xy, row.overtaken));
            (classes, rows.collect::<Vec<_>>())
        });
        assert_eq!(one, two);
        assert_eq!(one, three);
    }
}
