//! The reports of `rank codes` on codes themselves, and on lists of numbers.

use serde_json::Value;
use tempfile::TempDir;
use webrank_testing::cli::*;

fn json(arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    serde_json::from_str(&stdout(&arguments)).unwrap()
}

#[test]
fn tables_say_the_same_in_all_forms() {
    let folder = TempDir::new().unwrap();
    let csv = folder.path().join("table.csv");
    let table = json(&["codes", "--table", "0..15", "-o", text(&csv)]);
    let csv = std::fs::read_to_string(csv).unwrap();
    // The notebook compares its words with these.
    let kept = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../notebooks/data/codes-table.csv"
    );
    assert_eq!(csv, std::fs::read_to_string(kept).unwrap());
    let said = stdout(&["codes", "--table", "0..15"]);
    let codes = table["codes"].as_array().unwrap();
    let mut rows = 0;
    for code in codes {
        let mut kraft = 0.0;
        for one in code["words"].as_array().unwrap() {
            let (word, length) = (
                one["word"].as_str().unwrap(),
                one["length"].as_u64().unwrap(),
            );
            assert_eq!(word.len() as u64, length);
            assert!(said.contains(word));
            let row = format!(
                "\n{},{},{length},{word}\n",
                code["code"].as_str().unwrap(),
                one["number"]
            );
            assert!(csv.contains(&row), "{row}");
            kraft += 0.5f64.powi(length as i32);
            rows += 1;
        }
        assert!((code["kraft"].as_f64().unwrap() - kraft).abs() < 1e-12);
    }
    assert_eq!((codes.len(), rows, csv.lines().count()), (15, 240, 241));
    let word = |name: &str, number: usize| {
        let code = codes.iter().find(|code| code["code"] == name).unwrap();
        code["words"][number]["word"].as_str().unwrap().to_owned()
    };
    assert_eq!(word("delta", 15), "001010000");
    assert_eq!(word("golomb(3)", 5), "0111");
    let chosen = json(&[
        "codes",
        "--table",
        "1000..1001",
        "--code",
        "golomb1,minimal1000,pfor32,zeta2",
    ]);
    let words = &chosen["codes"];
    // 1001 bits are written out, a number beyond the bound has no word.
    assert_eq!(words[0]["words"][0]["length"], 1001);
    assert_eq!(words[1]["words"][0]["length"], Value::Null);
    assert_eq!(words[2]["words"][0]["word"], format!("{:032b}", 1000));
    assert!(stdout(&["codes", "--table", "5000..5000", "--code", "unary"]).contains("(5001 bits)"));
}

#[test]
fn codes_from_lengths_and_weights() {
    let given = json(&["codes", "--lengths", "1,2,3,3"]);
    let words: Vec<&str> = given["words"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["word"].as_str().unwrap())
        .collect();
    assert_eq!(words, ["0", "10", "110", "111"]);
    assert_eq!(given["kraft"], 1.0);
    let lengths: Vec<String> = (1..=60).map(|length| length.to_string()).collect();
    let said = stdout(&["codes", "--lengths", &lengths.join(",")]);
    assert!(said.contains("Kraft's sum: 1 - 2^-60\n"), "{said}");
    let refused = failure(&["codes", "--lengths", "1,1,2"], 2);
    assert!(
        refused.contains("the sum of 2^-length is 1.25"),
        "{refused}"
    );
    let huffman = json(&["codes", "--weights", "10,1,1"]);
    assert_eq!(huffman["mean_length"], 14.0 / 12.0);
    assert!(
        stdout(&["codes", "--weights", "10,1,1"]).contains("1.167 bits a symbol, entropy 0.817")
    );
}

#[test]
fn symbols_are_pushed_and_popped() {
    let pushed = json(&[
        "codes",
        "--weights",
        "2,1,1",
        "--push",
        "0,1,0,2",
        "--state",
        "1",
    ]);
    // f = 2, 1, 1 and c = 0, 2, 3: 1 to 1, 4 + 2, 12, and 48 + 3.
    let states: Vec<&str> = pushed["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["1", "6", "12", "51"]);
    assert_eq!(pushed["popped"], serde_json::json!([2, 0, 1, 0]));
    // The last symbol first, so that pops give them in order: five times 0, 1, three times 0, 2, 0, 0.
    let symbols = "0,0,2,0,0,0,1,0,0,0,0,0";
    let options = ["--precision", "7", "--state", "1"];
    let example = [
        &["codes", "--weights", "65,10,25", "--push", symbols],
        &options[..],
    ]
    .concat();
    let example = json(&example);
    assert_eq!(example["state"], "23880");
    assert_eq!(
        example["popped"],
        serde_json::json!([0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0])
    );
    let long = vec!["1"; 500].join(",");
    let state = json(&["codes", "--weights", "3,1", "--push", &long])["state_bits"]
        .as_u64()
        .unwrap();
    assert!((999..=1000).contains(&state), "{state}");
    // A state of 64 bits, and one more word for what a push of 0 is worth: two bits.
    let largest = u64::MAX.to_string();
    let begun = json(&[
        "codes",
        "--weights",
        "1,3",
        "--push",
        "0",
        "--state",
        &largest,
    ]);
    assert_eq!(begun["state_bits"], 66);
    assert_eq!(begun["streamed_bits"], 66);
    let refused = failure(&["codes", "--weights", "2,1,1", "--push", "3"], 2);
    assert!(
        refused.contains("symbols are those of --weights, from 0 to 2"),
        "{refused}"
    );
    assert!(
        failure(
            &[
                "codes",
                "--weights",
                "1,1,1",
                "--push",
                "0",
                "--precision",
                "1"
            ],
            2
        )
        .contains("--precision")
    );
}

#[test]
fn lists_of_numbers_from_files_and_streams() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("numbers.txt");
    let numbers: Vec<String> = (0..3000u64)
        .map(|i| (i * i % 61 * (i % 7)).to_string())
        .collect();
    std::fs::write(&path, numbers.join("\n")).unwrap();
    let found = json(&["codes", text(&path)]);
    let mut streamed = rank(&["codes", "-", "--json"]);
    let streamed = streamed.write_stdin(numbers.join(", ")).assert().success();
    let streamed: Value = serde_json::from_slice(&streamed.get_output().stdout).unwrap();
    assert_eq!(found, streamed);
    assert_eq!(found["count"], 3000);
    let floor = 3000.0 * found["entropy"].as_f64().unwrap();
    let codes = found["codes"].as_array().unwrap();
    let bits = |one: &Value| one["bits"].as_f64().unwrap();
    assert!(codes.iter().all(|one| bits(one) >= floor));
    let least = codes.iter().map(bits).fold(f64::INFINITY, f64::min);
    assert_eq!(found["best_bits"].as_f64().unwrap(), least);
    let huffman = found["huffman_bits"].as_f64().unwrap();
    assert!((floor..floor + 3000.0).contains(&huffman));
    let golomb = &found["golomb_by_mean"];
    let cost = |name: String| {
        bits(
            codes
                .iter()
                .find(|one| one["code"] == name.as_str())
                .unwrap(),
        )
    };
    let best = cost(format!("golomb({})", golomb["best_modulus"]));
    assert!(best <= golomb["bits"].as_f64().unwrap());
    let table = folder.path().join("table.csv.gz");
    assert_eq!(stdout(&["codes", text(&path), "-o", text(&table)]), "");
    let csv = stdout(&["codes", text(&path), "-o", "-"]);
    assert!(csv.starts_with("code,numbers,bits,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + codes.len() + 7);
    let said = stdout(&["codes", text(&path)]);
    for name in ["PFOR, linked", "ANS as taught", "entropy", "golomb("] {
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn which_codes_are_universal() {
    let found = json(&["codes", "--universal"]);
    for code in found["codes"].as_array().unwrap() {
        let ratios = code["ratios"].as_array().unwrap();
        let last = ratios.last().unwrap().as_f64().unwrap();
        assert!(ratios.iter().all(|ratio| ratio.as_f64().unwrap() > 0.999));
        assert_eq!(last < 10.0, code["universal"] == true, "{code}");
    }
    assert!(stdout(&["codes", "--universal"]).contains("not universal"));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("numbers.txt");
    for (content, problem) in [
        ("", "there is no number"),
        ("1 two", "line 1: 't'"),
        ("-1", "'-'"),
    ] {
        std::fs::write(&path, content).unwrap();
        let said = failure(&["codes", text(&path)], 1);
        assert!(said.contains(problem), "{said}");
    }
    std::fs::write(&path, "1").unwrap();
    assert!(failure(&["codes", text(&path), "--svg", "x.svg"], 2).contains("--svg"));
    assert!(failure(&["codes", text(&path), "-o", text(&path)], 1).contains("is an input"));
    for wrong in [
        &["codes"][..],
        &["codes", DEBIAN, "--table", "0..3"],
        &["codes", "--table", "3..0"],
        &["codes", "--table", "0..99999999"],
        &["codes", "--table", "0..3", "--code", "morse"],
        &["codes", "--table", "0..3", "--universal"],
        &["codes", "--code", "gamma"],
        &["codes", "--push", "0"],
        &["codes", "--precision", "3"],
        &["codes", "--state", "3"],
        &["codes", "--code", "gamma", "--universal"],
        &["codes", "--code", "gamma", "--lengths", "1,1"],
        &["codes", text(&path), "--code", "gamma"],
        &["codes", DEBIAN, "--code", "gamma"],
        &["codes", "--table", "0..3", "--push", "0"],
        &["codes", "--lengths", "1,1", "--push", "0"],
        &["codes", text(&path), "--push", "0"],
        &["codes", DEBIAN, "--push", "0"],
        &["codes", "--universal", "-o", "-", "--json"],
        &["codes", "--lengths", "1,x"],
    ] {
        let assert = rank(wrong).assert().code(2);
        assert!(assert.get_output().stdout.is_empty(), "{wrong:?}");
    }
    assert!(failure(&["codes", "--lengths", "101"], 2).contains("1 to 100 bits"));
    assert!(failure(&["codes", "--weights", "1,0"], 2).contains("symbol 1, counted from 0"));
    let nothing = failure(&["codes", "--weights", "0,0", "--push", "0"], 2);
    assert!(nothing.starts_with("rank: --weights is 0: "), "{nothing}");
    let lonely = failure(&["codes", "--universal", "--push", "0"], 2);
    assert!(
        lonely.starts_with("rank: --push is given: it belongs to --weights"),
        "{lonely}"
    );
    for (option, value, words) in [
        ("--lengths", "4294967296", "words have 1 to 100 bits"),
        ("--weights", "x", "write whole numbers from 0"),
        (
            "--weights",
            "99999999999999999999",
            "write whole numbers from 0",
        ),
        ("--precision", "0", "a whole number from 1 to 31"),
        ("--state", "1.5", "write whole numbers from 0"),
    ] {
        let said = failure(&["codes", option, value], 2);
        assert!(said.contains(words) && !said.contains("digit"), "{said}");
    }
    for name in ["t.json", "t.csv.xz", "t.png"] {
        let name = folder.path().join(name);
        let said = failure(&["codes", "--universal", "-o", text(&name)], 1);
        assert!(said.contains("end in .csv"), "{said}");
        let said = failure(&["codes", DEBIAN, "--svg", text(&name)], 1);
        assert!(said.contains("end in .svg"), "{said}");
    }
    assert_eq!(files(folder.path()).len(), 1);
    let empty = rank(&["codes", "-"]).write_stdin("").assert().code(1);
    let said = String::from_utf8(empty.get_output().stderr.clone()).unwrap();
    assert!(
        said.contains("standard input: there is no number"),
        "{said}"
    );
}

#[test]
fn large_numbers_stay_apart_and_exact() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("numbers.txt");
    std::fs::write(&path, "4611686018427387903").unwrap();
    let said = stdout(&["codes", text(&path)]);
    assert!(
        said.starts_with("1 number up to 4611686018427387903, mean 4611686018427387903.000, "),
        "{said}"
    );
    assert!(said.contains("p = 2.168e-19, has"), "{said}");
    assert!(
        said.contains("minimal binary(4611686018427387904)    "),
        "{said}"
    );
    let packed = said.lines().find(|line| line.starts_with("PFOR-DELTA"));
    assert!(
        packed.unwrap().ends_with("-  takes numbers below 2^32"),
        "{said}"
    );
    let csv = stdout(&["codes", text(&path), "-o", "-"]);
    assert!(csv.contains("\n\"PFOR-DELTA\",1,,,,false\n"), "{csv}");
    let weight = u64::MAX.to_string();
    let huffman = stdout(&["codes", "--weights", &weight]);
    assert!(
        huffman.contains(&format!("  {weight}    0.000  ")),
        "{huffman}"
    );
    let pushed = stdout(&["codes", "--weights", &weight, "--push", "0"]);
    assert!(
        pushed.contains(&format!("0  {weight}  2147483648  ")),
        "{pushed}"
    );
}
