"""The Korean of the lessons is written as a teacher writes it: one tone, one word for one thing, particles that follow
their number, counters without a space. tests/script/catalogue.py checks the texts of the window."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LESSONS = sorted((ROOT / "lessons").glob("*/*ko.md"))
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


def faults(text):
    """Returns each place that a pattern of FAULTS finds, with what to write instead."""
    text = re.sub(r"`[^`\n{}]*`", "`", text)
    return [f"{match[0]!r}: {instead}" for fault, instead in FAULTS.items() for match in re.finditer(fault, text)]


class Korean(unittest.TestCase):
    def test_no_lesson_has_a_fault(self):
        self.assertGreater(len(LESSONS), 10)
        found = [f"{path.parent.name}: {fault}" for path in LESSONS for fault in faults(path.read_text())]
        self.assertEqual(found, [])

    def test_each_fault_is_found(self):
        for wrong in ("{n}은 큽니다", "{n}**으로** 바꿉니다", "{n}**를 씁니다", "패스는 {passes} 번입니다", "48 번", "레인 {lane}번이 읽습니다",
                      "워프 1번의", "1 SM당", "몇 번입니까?", "보십시오", "- 실행이 멈춘다", "- 결과가 없다", "이 레슨", "루프 안의 줄",
                      "이전이 아니라 앞 단계", "값이(가)", "8(으)로"):
            self.assertTrue(faults(wrong), wrong)

    def test_good_korean_is_no_fault(self):
        for good in ("{n}{은/는} 큽니다", "{time:us}가 걸립니다", "{x / y:%}를 씁니다", "{?stride > 0}이 설정에서는", "패스는 {passes}번입니다",
                     "3번 레인", "스레드 {n}개", "행 / 2입니다", "- 실행이 멈춥니다"):
            self.assertEqual(faults(good), [], good)


if __name__ == "__main__":
    unittest.main()
