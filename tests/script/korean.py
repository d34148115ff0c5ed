"""The Korean of the lessons is written as a teacher writes it: one tone, one word for one thing, particles that follow
their number, counters behind it, no English words. The words that the window, the glossary and the labels share with
the lessons are checked, too; tests/script/catalogue.py checks what only the window's texts have to keep."""
import pathlib
import re
import unittest

from catalogue import entries
from glossary import GLOSSARY, prose, read_glossary

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LESSONS = sorted((ROOT / "lessons").glob("*/*ko.md"))
NUMBER = r"(?:\{(?!\?)[^{}]*\}|%\S*[sudg]|\d+)[*`]*"
THINGS = "레인|뱅크|워프|섹터|스레드|블록|워드|원소|청크|패스"
COUNTERS = "개|번|번째|바이트|비트|단계|라운드|사이클|줄|칸|행|열|층|배|건|분의"
FAULTS = {  # a pattern, and what to write instead
    r"\{(?!\?)[^{}]*(?<!:us)(?<!:%)\}[*`]*(?:은|는|이|가|을|를|으로|로|과|와)(?=[\s.,:;)*`]|$)":
        "a particle after a number: {이/가}",
    rf"(?:\{{(?!\?)[^{{}}]*\}}|\d)[*`]* (?:{COUNTERS})(?=[^가-힣]|$|(?:의|가|이|를|을|는|은|로|에|만|씩|마다|까지|부터|입니다)\b)":
        "a counter stands beside its number: {n}번",
    r"(?:레인|워프|블록|스레드|워드|뱅크|구간|사본) (?:\{(?!\?)[^{}]*\}|\d+)[*`]*번(?!만)":
        "the number stands first: 3번 레인",
    r"\d ?(?:SM|레인|워프|블록|스레드)당": "워프마다 1개",
    r"니까\?": "a question in 해요체: 몇 개일까요?, 몇 개인가요?",
    r"십시오": "a request in 해요체: 보세요",
    r"(?m)^- .*(?<!니)다$": "a sentence in 합니다체",
    r"레슨|이 단원": "수업",
    r"루프": "반복문",
    r"잰 것이 아|측정 아님|앞 단계": "실측 아님, 이전 단계",
    r"[이가을를은는와과로]\((?:이|가|을|를|은|는|와|과|으로)\)|\(으\)로": "{이/가}",
}


SHARED = {  # faults of any Korean text: of lessons, labels, the glossary and the window
    r"[가-힣](?:을를|를을|은는|는은|을을|를를|은은|으로으로|에에|에서에서)(?=[\s.,])|"
    r"\{[가-힣]+/[가-힣]+\}(?:을|를|은|는|이|가|과|와|로|으로)(?=[\s.,])|(?:\{[가-힣]+/[가-힣]+\}){2}": "one particle",
    r"(?<!학생)(?<!사람)(?<!모두)(?<!누구)(?<!학생들)(?<!여러분)에게": "에 for things, 에게 for people",
    r"(?:함께|나누어|공유 메모리를|타일을|셔플을|스위즐을|복사를|배리어를|뱅크를|키를|옵션을|명령을) (?:쓰(?!여)|쓸|씁|써)|"
    r"(?:쓰지 않는|쓰이지 않는) (?:워드|원소|바이트|레인|뱅크|자리|\d)|쓸 수 있는 (?:이름|값|것|GPU)|몇 번 쓰|쓰이는 뱅크":
        "사용하다 for use, 쓰다 for write",
    r"변형|구현": "버전",
    r"(?<!대역)(?<![가-힣])폭(?![가-힣])|(?<!대역)폭이 (?:좁|넓)": "너비",
    r"(?:강조된|강조한|표시한|노란) 줄": "표시된 줄",
    r"(?<![브업])로드(?!맵)|스토어": "읽기, 쓰기",
    r"(?<![가-힣])미스(?![가-힣])": "부적중",
    r"귀퉁이|모서리": "구석",
    r"(?<![가-힣])(?:노는|놀고 있는)(?![가-힣])": "쉬는",
    r"버튼": "단추",
    r"노브|다이얼": "조절값",
    r"(?<!관)문 앞": "관문 앞",
    r"한 걸음씩|다음 걸음": "한 단계씩, 다음 단계",
    r"건드[리린립]": "걸치다",
    r"문턱값": "임계값",
    r"첨자": "인덱스",
    rf"(?:^|[.,(] |곧 ){NUMBER}(?:개|번|건)의 [가-힣A-Za-z`]": "the thing stands first: 레인 32개",
    rf"{NUMBER}개 (?:{THINGS})(?![가-힣]*당)": "the thing stands first: 레인 32개",
    r"(?:^|[.,(] |를 |을 |\*\*)한 번의 [가-힣]+|(?:^|[.,(] )[두세네] 개의 [가-힣]+": "the thing stands first: 패스 한 번",
}
# Latin words that Korean keeps: names, keys, units, and the English word of a term where it is explained
WORDS = set("""
CUDA GPU DRAM PTX ISA SM NVIDIA Nsight Compute RTX Volta CUB CuTe cuBLAS OpenBLAS TMA Tensor Memory Accelerator
Hillis Steele Hillis-Steele Blelloch PageDown Space KB MB GB TB MHz FP TFLOP FLOP FFMA FMA Sectors Req
if else float half const log sm xor scan wmma ldmatrix wait_group halo swizzle wavefront coalesced access exclusive
inclusive threadIdx threadIdx.x threadIdx.y blockDim.x blockDim.y blockDim.z cudaMallocPitch __constant __syncwarp trans
""".split())
CARD = (  # how the window's sentences begin that stand beside a question of a lesson: they have its tone or none
    "Not there yet", "Mark the cells", "Click the line", "Drag each variable", "mark the cells first",
    "place a variable first", "choose an answer first: 1", "Predict first",
)


def found_in(text, patterns):
    return [f"{match[0]!r}: {instead}" for fault, instead in patterns.items()
            for match in re.finditer(fault, text, re.M)]


def faults(text):
    """Returns each place that a pattern of FAULTS or SHARED finds, with what to write instead."""
    text = re.sub(r"`[^`\n{}]*`", "`", text)
    return found_in(text, FAULTS) + found_in(text, SHARED)


def english(text):
    """Returns the Latin words of a lesson's text that are neither code nor in WORDS."""
    text = re.sub(r"`[^`\n]*`|\{[^{}]*\}|^#+ [\w -]+:?", " ", text, flags=re.M)
    words = re.findall(r"[A-Za-z_][\w.-]*[A-Za-z]", text)
    return [word for word in words if word not in WORDS]


def english_left(korean):
    """Returns the English of a window's text: two words in a row, or a word of capitals that is no name."""
    korean = re.sub(r"apt install [\w. -]+|[\w.-]*[./_-][\w./_-]*|\\\\?\"[^\"]*\"|'[^']*'|<<<.*>>>|FILL: [^,]*", " ",
                    prose(korean))
    return re.findall(r"\b[a-z]{3,} [a-z]{2,}\b|\b(?:LIVE|RECORDED|EMULATOR|NONE|STEP|TIME|TASK|PREDICT)\b", korean)


def unclosed(text):
    """Returns the paragraphs of a lesson's text whose marks of code or emphasis have no partner, or whose braces or
    parentheses have none."""
    found = []
    for paragraph in re.split(r"\n(?:\n|- )", text):
        rest = re.sub(r"\{[^{}]*\}", "", paragraph)
        code = re.sub(r"`[^`]*`", "", rest)
        if ("`" in code or code.count("**") % 2 or code.replace("**", "").count("*") % 2 or "{" in code or "}" in code
                or code.count("(") != code.count(")")):
            found.append(paragraph)
    return found


def big_words(text):
    """Returns the words of each large number."""
    return re.findall(r"^### big\n\n(.*)", text, re.M)


def labels():
    """Returns the Korean labels and descriptions of every lesson.yaml."""
    for path in sorted((ROOT / "lessons").glob("*/lesson.yaml")):
        for text in re.findall(r"ko: (\"[^\"]*\"|[^,}]*)", path.read_text()):
            yield path.parent.name, text.strip('"')


class Korean(unittest.TestCase):
    maxDiff = None

    def test_no_lesson_has_a_fault(self):
        self.assertGreater(len(LESSONS), 10)
        found = [f"{path.parent.name}: {fault}" for path in LESSONS for fault in faults(path.read_text())]
        self.assertEqual(found, [])

    def test_no_label_and_no_term_has_a_fault(self):
        texts = list(labels())
        self.assertGreater(len(texts), 100)
        terms = [(row["term"], row["explained in Korean"]) for row in read_glossary(GLOSSARY.read_text())]
        found = [f"{name}: {fault}" for name, text in texts + terms for fault in found_in(text, SHARED)]
        self.assertEqual(found, [])
        self.assertEqual([f"{name}: {word}" for name, text in texts for word in english(text)], [])

    def test_no_text_of_the_window_has_a_fault(self):
        found = [f"{korean!r}: {fault}" for korean in entries().values() for fault in found_in(korean, SHARED)]
        self.assertEqual(found, [])

    def test_no_english_is_left(self):
        found = [f"{path.parent.name}: {word}" for path in LESSONS for word in english(path.read_text())]
        found += [f"{korean!r}: {words}" for sentence, korean in entries().items() for words in english_left(korean)
                  if sentence]
        self.assertEqual(found, [])

    def test_no_mark_is_unclosed(self):
        found = [f"{path.parent.name}: {text}" for path in LESSONS for text in unclosed(path.read_text())]
        self.assertEqual(found, [])

    def test_words_stand_around_the_large_number(self):
        numbers = [(path.parent.name, words) for path in LESSONS for words in big_words(path.read_text())]
        self.assertGreater(len(numbers), 100)
        self.assertEqual([f"{name}: {words}" for name, words in numbers if "{}" not in words], [])

    def test_a_card_of_a_lesson_has_one_tone(self):
        cards = {sentence: korean for sentence, korean in entries().items() if sentence.startswith(CARD)}
        self.assertGreaterEqual(len(cards), len(CARD))
        self.assertEqual([korean for korean in cards.values() if "십시오" in korean], [])

    def test_each_fault_is_found(self):
        for wrong in ("{n}은 큽니다", "{n}**으로** 바꿉니다", "{n}**를 씁니다", "패스는 {passes} 번입니다", "48 번", "레인 {lane}번이 읽습니다",
                      "워프 1번의", "1 SM당", "몇 번입니까?", "보십시오", "- 실행이 멈춘다", "- 결과가 없다", "이 레슨", "루프 안의 줄",
                      "이전이 아니라 앞 단계", "값이(가)", "8(으)로"):
            self.assertTrue(faults(wrong), wrong)
        for wrong in ("값을를 읽습니다", "{n}{이/가}가 됩니다", "{n}{은/는}{이/가}", "레인들에게 줍니다", "뱅크를 함께 씁니다",
                      "타일을 쓰면 빠릅니다", "쓰지 않는 워드", "쓸 수 있는 이름은", "다른 변형", "두 번째 구현", "폭이 좁은", "강조된 줄",
                      "일반 로드", "스토어는 아래로", "행 미스", "모서리에서", "노는 레인", "버튼을 누르면", "문 앞에 모이는", "한 걸음씩",
                      "섹터를 건드립니다", "문턱값", "곧 32개의 `a[i]`", "32개의 레인이", "{n}개 레인이", "**한 번의 패스**로"):
            self.assertTrue(found_in(wrong, SHARED), wrong)
        self.assertEqual(english("the block size입니다"), ["the", "block", "size"])
        self.assertTrue(english_left("the block size block cannot be turned입니다"))
        self.assertTrue(english_left("시간 · 기록(RECORDED) %s"))
        for wrong in ("**굵게 하고", "`code와", "*거꾸로", "{n}개 } 더", "(괄호"):
            self.assertTrue(unclosed(wrong), wrong)
        self.assertEqual(big_words("### big\n\n개의 섹터\n"), ["개의 섹터"])

    def test_good_korean_is_no_fault(self):
        for good in ("{n}{은/는} 큽니다", "{time:us}가 걸립니다", "{x / y:%}를 씁니다", "{?stride > 0}이 설정에서는", "패스는 {passes}번입니다",
                     "3번 레인", "스레드 {n}개", "행 / 2입니다", "- 실행이 멈춥니다", "학생에게 물어보세요", "값을 씁니다", "대역폭", "브로드캐스트",
                     "레인 {n}개의 주소", "4의 배수인 주소", "접근 한 번의 패스", "공유 메모리에 쓰면"):
            self.assertEqual(faults(good), [], good)
        self.assertEqual(english("`the block`은 CUDA의 float입니다"), [])
        self.assertEqual(unclosed("**{x * y}**개와 `a * b`, *거꾸로* (둘)"), [])
        self.assertEqual(english_left("%s.%s 파일을 lanescope run으로 여십시오 (apt install clang)"), [])


if __name__ == "__main__":
    unittest.main()
