type IssueTexts = { worth: string; intro: string; closing: string }
type SectionTexts = { body: string; examples: object }

/** All Markdown of an issue, in which blocks can be referenced. */
export const textsOf = (issue: IssueTexts, sections: readonly SectionTexts[]): string[] => [
  issue.worth,
  issue.intro,
  issue.closing,
  ...sections.flatMap(({ body, examples }) => [body, ...Object.values<string>(examples as Record<string, string>)]),
]

export const mapValues = <Key extends string>(
  texts: Readonly<Partial<Record<Key, string>>>,
  map: (text: string) => string,
): Partial<Record<Key, string>> =>
  Object.fromEntries(
    Object.entries<string | undefined>(texts).flatMap(([key, text]) => (text ? [[key, map(text)]] : [])),
  ) as Partial<Record<Key, string>>
