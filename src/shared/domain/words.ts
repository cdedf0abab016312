type WordsOfLine<Line extends string, Found extends string = never> = Line extends `${infer Word} ${infer Rest}`
  ? WordsOfLine<Rest, Word extends '' ? Found : Found | Word>
  : Found | (Line extends '' ? never : Line)

type Words<Text extends string> = Text extends `${infer Line}\n${infer Rest}`
  ? WordsOfLine<Line> | Words<Rest>
  : WordsOfLine<Text>

/** The words of a text, for long lists of names. */
export const words = <const Text extends string>(text: Text) => text.trim().split(/\s+/) as Words<Text>[]
