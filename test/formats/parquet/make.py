"""Makes the files of this folder, by pyarrow 26: tables of five rows with pages of both versions."""

import decimal

import pyarrow
import pyarrow.parquet

table = pyarrow.table({
    "y": [0.5, -1.0, 2.0, 3.5, 1e10],
    "x[0]": pyarrow.array([7, 7, 7, 1, 2], pyarrow.int32()),
    "x[1]": pyarrow.array([9007199254740991, -1, 0, 1, 2], pyarrow.int64()),
    "k": ["ann", "bob", "ann", "ann", "čeněk"],
    "is_new": [True, False, False, True, True],
    "gap": pyarrow.array([1, None, 3, 4, None], pyarrow.int64()),
})

for version, compression, dictionary in [("1.0", "snappy", True), ("2.0", "snappy", True), ("2.0", "none", False), ("1.0", "gzip", True), ("2.0", "gzip", False), ("1.0", "zstd", True), ("2.0", "zstd", False), ("1.0", "brotli", True)]:
    name = f"pages-{version[0]}-{compression}.parquet"
    pyarrow.parquet.write_table(
        table,
        name,
        data_page_version=version,
        compression=compression,
        use_dictionary=dictionary,
        row_group_size=3,
        store_schema=False,
        write_statistics=False,
    )

# What is written as differences, or byte by byte.
for version, strings in [("1.0", "DELTA_LENGTH_BYTE_ARRAY"), ("2.0", "DELTA_BYTE_ARRAY")]:
    pyarrow.parquet.write_table(
        table,
        f"pages-{version[0]}-deltas.parquet",
        data_page_version=version,
        compression="none",
        use_dictionary=False,
        column_encoding={
            **{"y": "BYTE_STREAM_SPLIT", "k": strings},
            **{name: "DELTA_BINARY_PACKED" for name in ["x[0]", "x[1]", "gap"]},
        },
        row_group_size=3,
        store_schema=False,
        write_statistics=False,
    )

# Decimals, as bytes and as whole numbers.
decimals = pyarrow.table({
    name: pyarrow.array([decimal.Decimal(text) for text in texts], pyarrow.decimal128(digits, places))
    for name, digits, places, texts in [
        ("short", 9, 2, ["4959.44", "-6257.48", "0.01"]),
        ("middle", 18, 3, ["-284.370", "90071992547409.931", "0.001"]),
        ("long", 38, 25, ["0.3", "-1234567890123.4567890123456789012345678", "0.0000000000000000000000001"]),
    ]
})

for name, are_whole in [("decimals-bytes", False), ("decimals-whole", True)]:
    pyarrow.parquet.write_table(
        decimals,
        f"{name}.parquet",
        store_decimal_as_integer=are_whole,
        store_schema=False,
        write_statistics=False,
    )

for encoding in ["BYTE_STREAM_SPLIT", "DELTA_BYTE_ARRAY"]:
    pyarrow.parquet.write_table(
        decimals,
        f"decimals-{'split' if encoding == 'BYTE_STREAM_SPLIT' else 'deltas'}.parquet",
        use_dictionary=False,
        column_encoding={name: encoding for name in ["short", "middle", "long"]},
        store_schema=False,
        write_statistics=False,
    )
