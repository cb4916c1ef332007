"""What the package `tokenizers` of Hugging Face makes of texts: `python record.py [SEED [COUNT]] > recorded.json`.

Needs tokenizers, sentencepiece and protobuf from PyPI; recorded.json was made with tokenizers 0.23.3. Tokenizers are made of parts by
chance, around five models that are trained here on a few sentences; each is asked for the tokens of texts made of pieces by chance.
"""

import base64
import io
import json
import random
import sys
import tempfile

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

chance = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
count = int(sys.argv[2]) if len(sys.argv) > 2 else 120

SENTENCES = [
    "A wasp digs its burrow before the hunt, and never doubts it.",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Deich; ça va, naïve façade?",
    "Η σφήξ σκάβει, και ΟΔΥΣΣΕΥΣ θαυμάζει τους μύθους.",
    "Оса роет норку: быстро, точно и 12 раз подряд!",
    "狩り蜂は穴を掘る。漢字とカナ、한국어도 있다.",
    "İstanbul'da ılık bir gün; don't we'll it's $3.50 (or €4) at 10:45?",
    "x = y_1 + z * (a - b) / 2 <tag> #sphex @home snake_case CamelCase",
    "हिन्दी में एक वाक्य, ไทยภาษา, עברית, العربية 😀 👩‍🔬 ½ ② Ⅷ",
]
PIECES = """the wasp WASP Zwölf Über ΟΔΥΣΣΕΥΣ μύθος ς Оса норку 狩り蜂 漢字 カナ 한국 ᄒ각 don't 'LL 's $3 €4 12 345 ٣٤ ½ ② Ⅷ ﬁn ﷺ İ ı ß Ǆ ŉ
😀 👩‍🔬 👍🏽 हिन्दी क्षि ไทย עב ال é e\u0301 A\u030a . , ... ! ? ; : ' " - — _ + = < > ( ) [ # @ / \\ | ~ ` ^ 。 、 「 ¿ <mask> [MASK] [CLS]
<s> </s> <tag> ▁ ## ##e Ġ \u200b \u200d \ufeff \u0301 \u20e3 \u00ad \ue000 𠀀 a b e z""".split() + [
    " ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u2028", "\u0085", "\u0000", "\u0007", "\ufffd",
]
SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
RULES = [("ﬁ", "fi"), ("ﷺ", "صلى الله"), ("\t", " "), ("\n", " "), ("\u00a0", " "), ("\u200b", " "), ("\u0007", ""), ("e\u0301", "\u00e9"), ("½", "1⁄2"), ("②", "2"), ("W", "w")]
PATTERNS = [
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t)?|\p{N}{1,3}|\s+(?!\S)|\s+",
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s+",
    r"\w+", r"\W", r"\s+", r"\d", r"[[:punct:]]", r"\p{Han}+", r".+", r"^\S+|\S+$",
]
BEHAVIORS = ["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]


def flag(likely=0.5):
    return chance.random() < likely


def trained(model, trainer, pre_tokenizer):
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.train_from_iterator(SENTENCES * 4, trainer)
    return json.loads(tokenizer.to_str())["model"]


def sentencepiece_model():
    """The pieces of a model of Sentencepiece with tokens of bytes, and the map of a few characters."""
    model = io.BytesIO()
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as rules:
        for source, target in RULES:
            rules.write(" ".join(f"{ord(each):X}" for each in source) + "\t" + " ".join(f"{ord(each):X}" for each in target) + "\n")
        rules.flush()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(SENTENCES * 4), model_writer=model, vocab_size=600, minloglevel=5,
            normalization_rule_tsv=rules.name, byte_fallback=True, hard_vocab_limit=False,
        )
    parts = sentencepiece_model_pb2.ModelProto()
    parts.ParseFromString(model.getvalue())
    pieces = [[each.piece, round(each.score, 4)] for each in parts.pieces]
    return pieces, parts.normalizer_spec.precompiled_charsmap


PIECES_OF_SENTENCES, CHARSMAP = sentencepiece_model()
WRITTEN_CHARSMAP = base64.b64encode(CHARSMAP).decode()
WORDS, BYTES = pre_tokenizers.BertPreTokenizer(), pre_tokenizers.ByteLevel()
MODELS = {
    "words": trained(models.WordLevel(unk_token="[UNK]"), trainers.WordLevelTrainer(special_tokens=SPECIAL, show_progress=False), WORDS),
    "wordPieces": trained(
        models.WordPiece(unk_token="[UNK]"),
        trainers.WordPieceTrainer(vocab_size=330, special_tokens=SPECIAL, show_progress=False), WORDS),
    "bytePairs": trained(
        models.BPE(),
        trainers.BpeTrainer(vocab_size=380, special_tokens=SPECIAL, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()), BYTES),
    "letterPairs": trained(
        models.BPE(unk_token="[UNK]"), trainers.BpeTrainer(vocab_size=330, special_tokens=SPECIAL, show_progress=False), WORDS),
    "likeliest": {"type": "Unigram", "unk_id": 0, "vocab": PIECES_OF_SENTENCES, "byte_fallback": True},
}
CHANGES = {
    "words": [{}],
    "wordPieces": [{}, {"max_input_chars_per_word": 4}],
    "bytePairs": [{}, {"ignore_merges": True}],
    "letterPairs": [{}, {"fuse_unk": True}, {"unk_token": None}],
    "likeliest": [{}, {"byte_fallback": False}],
}


def normalizer():
    n = normalizers
    made = [
        None,
        None,
        n.BertNormalizer(flag(0.7), flag(0.7), chance.choice([None, True, False]), flag(0.6)),
        n.BertNormalizer(),
        n.Precompiled(CHARSMAP),
        n.Sequence([n.Precompiled(CHARSMAP), n.Replace(Regex(" {2,}"), " ")]),
        n.Sequence([n.Prepend("▁"), n.Replace(" ", "▁")]),
        n.Sequence([n.NFD(), n.StripAccents(), n.Lowercase()]),
        n.Sequence([n.Nmt(), n.NFKC(), n.Strip(flag(), flag())]),
        chance.choice([n.NFC(), n.NFKD(), n.Lowercase(), n.StripAccents(), n.Strip(), n.ByteLevel()]),
    ]
    return chance.choice(made)


def pre_tokenizer():
    p = pre_tokenizers
    made = [
        None,
        p.BertPreTokenizer(),
        p.BertPreTokenizer(),
        p.Whitespace(),
        p.WhitespaceSplit(),
        p.ByteLevel(flag(), flag(0.7)),
        p.Metaspace("▁", chance.choice(["always", "first", "never"]), flag(0.7)),
        p.Sequence([p.WhitespaceSplit(), p.Metaspace()]),
        p.Sequence([p.Split(Regex(chance.choice(PATTERNS)), chance.choice(BEHAVIORS), flag(0.3)), p.ByteLevel(False, use_regex=False)]),
        p.Split(Regex(chance.choice(PATTERNS)), chance.choice(BEHAVIORS), flag(0.3)),
        p.Sequence([p.Whitespace(), p.Digits(flag())]),
        p.Sequence([p.WhitespaceSplit(), p.Punctuation(chance.choice(BEHAVIORS))]),
        p.CharDelimiterSplit(chance.choice("-_ ")),
        p.FixedLength(3),
    ]
    return chance.choice(made)


def post_processor(tokenizer):
    begin, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    if begin is None:
        return None
    made = [
        None,
        processors.ByteLevel(),
        processors.BertProcessing(("[SEP]", end), ("[CLS]", begin)),
        processors.RobertaProcessing(("[SEP]", end), ("[CLS]", begin)),
        processors.TemplateProcessing("[CLS] $A:1 [SEP]:1", "$A $B", [("[CLS]", begin), ("[SEP]", end)]),
        processors.Sequence([processors.ByteLevel(), processors.TemplateProcessing("$A [SEP]", "$A $B", [("[SEP]", end)])]),
    ]
    return chance.choice(made)


def text():
    return "".join(chance.choice(PIECES) + (" " if flag(0.4) else "") for _ in range(chance.randrange(10)))


def recorded():
    name = chance.choice(list(MODELS))
    change = chance.choice(CHANGES[name])
    model = {**MODELS[name], **change}
    parts = {"added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None}
    tokenizer = Tokenizer.from_str(json.dumps({"version": "1.0", "truncation": None, "padding": None, "model": model, **parts}))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer(), pre_tokenizer()
    tokenizer.post_processor = post_processor(tokenizer)
    tokenizer.add_special_tokens([each for each in SPECIAL if tokenizer.token_to_id(each) is not None])
    for each in chance.sample(["<mask>", "wasp", "狩り蜂", "don't", "É", "12"], chance.randrange(3)):
        tokenizer.add_tokens([AddedToken(each, lstrip=flag(0.3), rstrip=flag(0.3), single_word=flag(0.3), normalized=flag())])
    # The map of characters is written once.
    said = json.loads(tokenizer.to_str().replace(WRITTEN_CHARSMAP, ""))
    texts = [text() for _ in range(6)] + [chance.choice(SENTENCES)]
    with_markers = [tokenizer.encode(each) for each in texts]
    return {
        "model": name,
        "change": change,
        **{part: said[part] for part in ["added_tokens", "normalizer", "pre_tokenizer", "post_processor"]},
        "texts": [
            {
                "text": each,
                "ids": found.ids,
                "types": found.type_ids,
                "plain": tokenizer.encode(each, add_special_tokens=False).ids,
            }
            for each, found in zip(texts, with_markers)
        ],
    }


def written(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


lines = [written(recorded()) for _ in range(count)]
print(written({"charsmap": WRITTEN_CHARSMAP, "models": MODELS}))
print("\n".join(lines))
