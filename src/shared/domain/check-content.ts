import { findLeftovers } from './find-leftovers.ts'
import { findPositions } from './find-positions.ts'
import { findWrongSums } from './find-wrong-sums.ts'
import { isCopyKind, quotationKind } from './marked-quotations.ts'
import { problemOfPlaceholder, splitPlaceholders } from './placeholders.ts'
import { problemOfPoll } from './poll.ts'
import { createLineCounter, proseLines, withoutCode } from './prose-lines.ts'

/**
 * A problem of a document. `path` is the field, `line` the line in its text, from 1. The build refuses files with any of
 * them; in the admin, those without `isRequired` are advice.
 */
export type ContentProblem = { path: (string | number)[]; line: number; message: string; isRequired?: true }

type Path = ContentProblem['path']

type IssueContent = {
  title: string
  preview: string
  worth: string
  intro: string
  sections: readonly {
    partOfLead: boolean
    kind: string | null
    heading: string
    summary: string
    body: string
    examples: object
  }[]
  closing: string
  question: string
  pollQuestion: string
  pollAnswers: readonly string[]
  editorNote: string
}

/** Problems of an issue's texts and of its lead. */
export const checkIssue = (issue: IssueContent): ContentProblem[] => [
  ...checkLead(issue.sections),
  ...checkLeftovers(['title'], issue.title),
  ...checkLine(['preview'], issue.preview),
  ...checkMarkdown(['worth'], issue.worth),
  ...checkMarkdown(['intro'], issue.intro),
  ...issue.sections.flatMap(({ heading, summary, body, examples }, index) => [
    ...checkLine(['sections', index, 'heading'], heading),
    ...checkLine(['sections', index, 'summary'], summary),
    ...checkMarkdown(['sections', index, 'body'], body),
    ...Object.entries<string>(examples as Record<string, string>).flatMap(([vertical, text]) =>
      checkMarkdown(['sections', index, 'examples', vertical], text),
    ),
  ]),
  ...checkMarkdown(['closing'], issue.closing),
  ...checkLine(['question'], issue.question),
  ...checkPoll(issue),
  ...checkLine(['editorNote'], issue.editorNote),
]

function checkPoll({ pollQuestion, pollAnswers }: IssueContent): ContentProblem[] {
  const problem = problemOfPoll(pollQuestion, pollAnswers)
  return [
    ...checkLine(['pollQuestion'], pollQuestion),
    ...pollAnswers.flatMap((answer) => checkLeftovers(['pollAnswers'], answer)),
    // Readers can't vote in a broken poll: without answers there is no button, and equal ones share their votes.
    ...(problem ? [{ path: [problem.field], line: 1, message: problem.message, isRequired: true as const }] : []),
  ]
}

/** The lead has at least two steps, which are adjacent. */
function checkLead(sections: IssueContent['sections']): ContentProblem[] {
  const steps = sections.flatMap(({ partOfLead }, index) => (partOfLead ? [index] : []))
  const [first = 0, ...others] = steps
  const problem = (index: number, field: string, message: string) => ({
    path: ['sections', index, field],
    line: 1,
    message,
  })
  if (steps.length === 1) {
    const message =
      'A numbered step needs a second one. Make another section the next step, or take this one out of the steps'
    return [problem(first, 'partOfLead', message)]
  }
  const stray = others.find((index, place) => index !== (steps[place] ?? 0) + 1)
  return [
    ...(stray === undefined
      ? []
      : [
          problem(
            stray,
            'partOfLead',
            'The numbered steps aren’t next to each other, so they are numbered twice. Move this section up to them',
          ),
        ]),
    ...steps
      .filter((index) => sections[index]?.kind)
      .map((index) => problem(index, 'kind', 'A numbered step has no label, so its kind isn’t shown. Leave it empty')),
  ]
}

/** Markdown that readers get in any order. */
export const checkMarkdown = (path: Path, markdown: string): ContentProblem[] => [
  ...findPositions(markdown).map(({ line, phrase }) => ({ path, line, message: positionMessage(phrase) })),
  ...checkLeftovers(path, markdown),
  ...checkSums(path, markdown),
  ...textsToCopy(markdown).flatMap(({ line, text }) => {
    const lineAt = createLineCounter(text)
    return [
      ...checkPlaceholders(path, text, line),
      ...brokenBlanks(text).map((at) => ({
        path,
        line: line + lineAt(at) - 1,
        message: 'A blank goes over two lines. Write it in one line',
      })),
    ]
  }),
]

/**
 * Quotations marked as a text to copy, with the number of their first line, from 1. The text after a quoted line belongs
 * to it even without a `>`. In a callout, `> >` begins a quotation of its own.
 */
function textsToCopy(markdown: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = []
  let isOpen = false
  for (const { line, text } of proseLines(markdown)) {
    const isMarked = /^\s*>/.test(text)
    const isContinued: boolean = isOpen && /^\s*[^\s\-*+#|`~\d]/.test(text)
    const content = text.replace(/^\s*>/, '').replaceAll(/\]\([^)\]]*\)/g, '')
    const last = isOpen ? found.at(-1) : undefined
    if (last && (isMarked || isContinued)) last.text += `\n${content}`
    else if (isMarked) found.push({ line, text: content })
    isOpen = isMarked || isContinued
  }
  return found.flatMap(({ line, text }) => {
    const [mark = '', ...others] = text.split('\n')
    const kind = quotationKind(mark.trim())
    const inside = { line: line + 1, text: others.join('\n') }
    if (isCopyKind(kind)) return [inside]
    return kind === null ? [] : textsToCopy(inside.text).map((inner) => ({ ...inner, line: line + inner.line }))
  })
}

/** Where known blanks with a line break begin. Only blanks on one line are filled in. */
const brokenBlanks = (text: string): number[] =>
  splitPlaceholders(text).flatMap(({ placeholder, at }) =>
    placeholder?.name && placeholder.written.includes('\n') ? [at] : [],
  )

const positionMessage = (phrase: string) =>
  `Sections have another order for each reader, so “${phrase}” can mislead. Name the section instead`

const checkLine = (path: Path, text: string): ContentProblem[] => [
  ...findPositions(text).map(({ line, phrase }) => ({ path, line, message: positionMessage(phrase) })),
  ...checkLeftovers(path, text),
  ...checkSums(path, text),
]

export const checkLeftovers = (path: Path, markdown: string): ContentProblem[] =>
  proseLines(markdown).flatMap(({ line, text, isQuoted }) =>
    findLeftovers(withoutCode(text), isQuoted).map((what) => ({ path, line, message: `Replace “${what}”` })),
  )

export const checkSums = (path: Path, markdown: string): ContentProblem[] =>
  findWrongSums(markdown).map(({ line, written, result }) => ({
    path,
    line,
    message: `“${written}” is wrong: the result is ${result}`,
  }))

/** Unknown variables in a prompt. */
export function checkPlaceholders(path: Path, body: string, firstLine = 1): ContentProblem[] {
  const lineAt = createLineCounter(body)
  return splitPlaceholders(body).flatMap(({ placeholder, at }) => {
    const message = placeholder && problemOfPlaceholder(placeholder)
    if (!message) return []
    return [{ path, line: firstLine + lineAt(at) - 1, message }]
  })
}

type PromptContent = {
  title: string
  dataLabel: string | null
  checks: readonly string[]
  body: string
  when: string
  example: { input: string; answer: string; mistake: string; corrected: string } | null
}

type PackContent = { title: string; summary: string; prompts: readonly PromptContent[] }

export const checkPack = ({ title, summary, prompts }: PackContent): ContentProblem[] => [
  ...checkLeftovers(['title'], title),
  ...checkLeftovers(['summary'], summary),
  ...prompts.flatMap((prompt, index) => checkPrompt(['prompts', index], prompt)),
]

/** Problems of a prompt. Sums in the answer of its example aren't checked: it contains a mistake. */
export const checkPrompt = (path: Path, prompt: PromptContent): ContentProblem[] => [
  ...(prompt.dataLabel === null
    ? [
        {
          path: [...path, 'dataLabel'],
          line: 1,
          message: 'Choose what data the prompt may be used with',
          isRequired: true as const,
        },
      ]
    : []),
  ...(prompt.checks.length === 0
    ? [
        {
          path: [...path, 'checks'],
          line: 1,
          message: 'Say what to check in the answer',
          isRequired: true as const,
        },
      ]
    : []),
  ...prompt.checks.flatMap((check, index) => [
    ...checkPlainLeftovers([...path, 'checks', index], check),
    ...checkSums([...path, 'checks', index], check),
  ]),
  ...checkPlainLeftovers([...path, 'title'], prompt.title),
  ...checkPlaceholders([...path, 'body'], prompt.body),
  ...checkPlainLeftovers([...path, 'body'], prompt.body),
  ...checkPlainLeftovers([...path, 'when'], prompt.when),
  ...checkSums([...path, 'body'], prompt.body),
  ...(prompt.example === null
    ? []
    : [
        ...checkSums([...path, 'example', 'input'], prompt.example.input),
        ...checkSums([...path, 'example', 'corrected'], prompt.example.corrected),
        ...(['input', 'answer', 'mistake', 'corrected'] as const).flatMap((field) =>
          checkPlainLeftovers([...path, 'example', field], prompt.example?.[field] ?? ''),
        ),
      ]),
]

type GuideContent = { title: string; description: string; inside: readonly string[] }

/** Leftovers in the description of a guide. */
export const checkGuide = (path: Path, { title, description, inside }: GuideContent): ContentProblem[] => [
  ...checkLeftovers([...path, 'title'], title),
  ...checkLeftovers([...path, 'description'], description),
  ...inside.flatMap((line, index) => checkLeftovers([...path, 'inside', index], line)),
]

type ToolContent = Record<'name' | 'verdict' | 'description' | 'useCase' | 'priceNote' | 'skipIf', string> &
  Record<'goodFor' | 'watchOut', readonly string[]> & { criteria: object }

/** Leftovers in the texts of a tool. */
export const checkTool = (path: Path, tool: ToolContent): ContentProblem[] => [
  ...(['name', 'verdict', 'description', 'useCase', 'priceNote', 'skipIf'] as const).flatMap((field) =>
    checkLeftovers([...path, field], tool[field]),
  ),
  ...(['goodFor', 'watchOut'] as const).flatMap((field) =>
    tool[field].flatMap((line, index) => checkLeftovers([...path, field, index], line)),
  ),
  ...Object.entries<string>(tool.criteria as Record<string, string>).flatMap(([key, line]) =>
    checkLeftovers([...path, 'criteria', key], line),
  ),
]

/** Plain text, in which brackets are blanks. */
const checkPlainLeftovers = (path: Path, text: string): ContentProblem[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      findLeftovers(line, true).map((what) => ({ path, line: index + 1, message: `Replace “${what}”` })),
    )

/** The calendar day in the easternmost time zone: anything later is in the future everywhere. */
export const lastDayOf = (time: Date): string => new Date(time.getTime() + 14 * 3_600_000).toISOString().slice(0, 10)

/** The day must not be after `today`. */
export const checkDay = (path: Path, day: string | null, today: string): ContentProblem[] =>
  day !== null && day > today ? [{ path, line: 1, message: `${day} is in the future` }] : []
