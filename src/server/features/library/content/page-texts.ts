import { toSlug } from '#shared/contracts/publishing/documents.ts'
import { type PageFiles, type PageId, pageSchemas } from './content-files.ts'

/*
 * The glossary, the safety rules, the start path and the method page as texts that the publisher edits. Lists are one Markdown
 * text with a heading per entry. A text that isn't edited comes from content/.
 */

/** Name of the publication's settings that contain the texts. */
export const pageTextsSetting = 'pages'

export type PageText = {
  name: string
  page: PageId
  label: string
  kind: 'line' | 'markdown'
  hint: string
}

const line = (page: PageId, name: string, label: string, hint = ''): PageText => ({
  name,
  page,
  label,
  kind: 'line',
  hint,
})
const text = (page: PageId, name: string, label: string, hint = ''): PageText => ({
  ...line(page, name, label, hint),
  kind: 'markdown',
})

const entryHint =
  'A name in braces after a heading, such as {#fdd}, is the address of links to it. Keep it when you rename the entry.'

const steps = { win: 'First step', policy: 'Second step', pilot: 'Third step' } as const
type Step = keyof typeof steps
const stepNames = Object.keys(steps) as Step[]
const stepText = (step: Step, part: string) => `start-${step}-${part}`

export const pageTexts: readonly PageText[] = [
  text(
    'glossary',
    'glossary',
    'Terms',
    `Each term is a heading (##) with its definition below. A last line “See also: Prompt; Pilot” names other terms. ${entryHint}`,
  ),
  line('safety', 'safety-title', 'Title'),
  text('safety', 'safety-intro', 'Opening'),
  text(
    'safety',
    'safety-rules',
    'Rules',
    `Each rule is a heading (##) with the reason below. A last paragraph that begins with “Exception:” says when it doesn’t apply. ${entryHint}`,
  ),
  text('safety', 'safety-may-go-in', 'What may go in'),
  text('safety', 'safety-decisions', 'Decisions about people'),
  text('safety', 'safety-incidents', 'Incidents and reviews'),
  text('start-here', 'start-intro', 'Opening'),
  ...stepNames.flatMap((step) => [
    line('start-here', stepText(step, 'title'), `${steps[step]}: title`),
    line('start-here', stepText(step, 'minutes'), `${steps[step]}: minutes`),
    text('start-here', stepText(step, 'body'), `${steps[step]}: text`),
    line('start-here', stepText(step, 'label'), `${steps[step]}: name of the link`),
    line(
      'start-here',
      stepText(step, 'path'),
      `${steps[step]}: link`,
      'A page of the portal, such as /portal/guides#ai-use-policy.',
    ),
  ]),
  line('method', 'method-title', 'Title'),
  text(
    'method',
    'method-criteria',
    'Criteria',
    'Each criterion is a heading (##) with its text below. Keep their number and order.',
  ),
  text(
    'deadlines',
    'deadline-kinds',
    'Kinds of dates',
    'Each kind is a heading (##). Below it: “Lead time: 60 days”, “Every year” if it returns, and a link to what prepares it. Keep a name in braces, such as {#renewal}: dates that readers entered refer to it.',
  ),
]

type Texts = Readonly<Record<string, string>>
export type PageProblems = Record<string, string>

/** The texts of a page, by name. */
export const textsOf: { [Id in PageId]: (page: PageFiles[Id]) => Texts } = {
  glossary: ({ terms }) => {
    const nameOf = (id: string) => terms.find((term) => term.id === id)?.term ?? id
    return {
      glossary: writeEntries(
        terms.map(({ id, term, definition, seeAlso }) => ({
          id,
          heading: term,
          body: [definition, ...(seeAlso.length > 0 ? [`See also: ${seeAlso.map(nameOf).join('; ')}`] : [])],
        })),
      ),
    }
  },
  safety: ({ title, intro, never, mayGoIn, decisions, incidents }) => ({
    'safety-title': title,
    'safety-intro': intro,
    'safety-rules': writeEntries(
      never.map(({ id, rule, why, exception }) => ({
        id,
        heading: rule,
        body: [why, ...(exception ? [`Exception: ${exception}`] : [])],
      })),
    ),
    'safety-may-go-in': mayGoIn,
    'safety-decisions': decisions,
    'safety-incidents': incidents,
  }),
  'start-here': (page) => ({
    'start-intro': page.intro,
    ...Object.fromEntries(
      stepNames.flatMap((step) => {
        const { title, minutes, body, link } = page[step]
        const parts = { title, minutes: String(minutes), body, label: link.label, path: link.path }
        return Object.entries(parts).map(([part, value]) => [stepText(step, part), value])
      }),
    ),
  }),
  method: ({ title, criteria }) => ({
    'method-title': title,
    'method-criteria': writeEntries(criteria.map((each) => ({ id: null, heading: each.title, body: [each.body] }))),
  }),
  deadlines: ({ kinds }) => ({
    'deadline-kinds': writeEntries(
      kinds.map(({ id, label, leadDays, yearly, prepare }) => ({
        id,
        heading: label,
        body: [
          `Lead time: ${leadDays} days`,
          ...(yearly ? ['Every year'] : []),
          ...(prepare ? [`[${prepare.label}](${prepare.path})`] : []),
        ],
      })),
    ),
  }),
}

type Edit<Id extends PageId> = (page: PageFiles[Id], texts: Texts, problems: PageProblems) => unknown

/** Puts texts into a page, and notes what can't be read. */
const edits: { [Id in PageId]: Edit<Id> } = {
  glossary: (page, texts, problems) => {
    const entries = readEntries('glossary', texts.glossary, problems)
    if (!entries) return page
    const idOf = new Map(entries.map(({ id, heading }) => [heading.toLowerCase(), id]))
    return {
      ...page,
      terms: entries.map(({ id, heading, body }) => {
        const found = /^See also:(.*)$/m.exec(body)
        const seeAlso = (found?.[1] ?? '')
          .split(';')
          .map((name) => name.trim())
          .filter(Boolean)
          .flatMap((name) => {
            const other = idOf.get(name.toLowerCase())
            if (!other) problems.glossary ??= `“${heading}” refers to “${name}”, which isn’t a term.`
            return other ?? []
          })
        return { id, term: heading, definition: body.slice(0, found?.index).trim(), seeAlso }
      }),
    }
  },
  safety: (page, texts, problems) => {
    const rules = readEntries('safety-rules', texts['safety-rules'], problems)
    return {
      ...page,
      title: texts['safety-title'],
      intro: texts['safety-intro'],
      mayGoIn: texts['safety-may-go-in'],
      decisions: texts['safety-decisions'],
      incidents: texts['safety-incidents'],
      ...(rules && {
        never: rules.map(({ id, heading, body }) => {
          const [why = '', exception = ''] = body.split(/^Exception:/m)
          return { id, rule: heading, why: why.trim(), exception: exception.trim() }
        }),
      }),
    }
  },
  'start-here': (page, texts) => ({
    ...page,
    intro: texts['start-intro'],
    ...Object.fromEntries(
      stepNames.map((step) => {
        const part = (name: string) => texts[stepText(step, name)]
        const link = { label: part('label'), path: part('path') }
        return [step, { title: part('title'), minutes: Number(part('minutes')), body: part('body'), link }]
      }),
    ),
  }),
  method: (page, texts, problems) => {
    const entries = readEntries('method-criteria', texts['method-criteria'], problems)
    if (entries && entries.length !== page.criteria.length) {
      problems['method-criteria'] ??= `Keep ${page.criteria.length} headings: tools are judged by as many criteria.`
      return page
    }
    const criteria = entries?.map(({ heading, body }, at) => ({ ...page.criteria[at], title: heading, body }))
    return { ...page, title: texts['method-title'], ...(criteria && { criteria }) }
  },
  deadlines: (page, texts, problems) => {
    const entries = readEntries('deadline-kinds', texts['deadline-kinds'], problems)
    if (!entries) return page
    const kinds = entries.map(({ id, heading, body }) => {
      const days = /^Lead time: (\d{1,4}) days?$/m.exec(body)?.[1]
      if (!days) problems['deadline-kinds'] ??= `Write a line “Lead time: 60 days” below “${heading}”.`
      const [, label = '', path = ''] = /\[([^\]]+)\]\(([^)\s]+)\)/.exec(body) ?? []
      const prepare = path === '' ? null : { label, path }
      return { id, label: heading, leadDays: Number(days), yearly: /^Every year$/m.test(body), prepare }
    })
    return { ...page, kinds }
  },
}

type EditedPage<Id extends PageId> = {
  page: PageFiles[Id]
  /** Names of the texts that differ from the page's. */
  changed: string[]
  problems: PageProblems
}

/** The page with the texts that the publisher edited. With problems, it is the given one. */
export function editPage<Id extends PageId>(id: Id, page: PageFiles[Id], stored: unknown): EditedPage<Id> {
  const shipped = textsOf[id](page)
  const given = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}
  const changes = Object.fromEntries(
    Object.entries(shipped).flatMap(([name, value]) => {
      const edited = given[name]
      return typeof edited === 'string' && edited.trim() !== value.trim() ? [[name, edited.trim()]] : []
    }),
  )
  const changed = Object.keys(changes)
  const problems: PageProblems = {}
  if (changed.length === 0) return { page, changed, problems }
  const edited = edits[id](page, { ...shipped, ...changes }, problems)
  const parsed = pageSchemas[id].safeParse(edited)
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = textNameAt(id, path)
    problems[name] ??= `${labelOf(name)} ${message}.`
  }
  const isGood = parsed.success && Object.keys(problems).length === 0
  return { page: isGood ? (parsed.data as PageFiles[Id]) : page, changed, problems }
}

const labelOf = (name: string) => pageTexts.find((each) => each.name === name)?.label ?? name

const safetyNames: Record<string, string> = { never: 'safety-rules', mayGoIn: 'safety-may-go-in' }

/** The text that a part of a page comes from. */
export function textNameAt(id: PageId, [first, second, third]: readonly PropertyKey[]): string {
  const [top, part, field] = [first, second, third].map((key) => String(key ?? ''))
  if (id === 'glossary') return 'glossary'
  if (id === 'deadlines') return 'deadline-kinds'
  if (id === 'safety') return safetyNames[top ?? ''] ?? `safety-${top}`
  if (id === 'method') return top === 'criteria' ? 'method-criteria' : 'method-title'
  return top === 'intro' ? 'start-intro' : `start-${top}-${part === 'link' ? field : part}`
}

type Entry = { id: string; heading: string; body: string }

const writeEntries = (entries: readonly { id: string | null; heading: string; body: readonly string[] }[]): string =>
  entries
    .map(({ id, heading, body }) => {
      const anchor = id === null || id === toSlug(heading) ? '' : ` {#${id}}`
      return [`## ${heading}${anchor}`, ...body.map((part) => part.trim())].join('\n\n')
    })
    .join('\n\n')

/** Rich text editors may escape the number sign. */
const anchorPattern = /(?<!\s)\s*\{\\?#([a-z0-9-]+)\\?\}\s*$/

/** @returns null with a problem */
function readEntries(name: string, markdown: string | undefined, problems: PageProblems): Entry[] | null {
  const [before = '', ...parts] = `\n${markdown ?? ''}`.split(/\n##[ \t]+/)
  const fail = (message: string) => {
    problems[name] ??= message
    return null
  }
  if (before.trim() !== '' || parts.length === 0) return fail('Begin each entry with a heading (##).')
  const entries = parts.map((part): Entry => {
    const [heading = '', ...rest] = part.split('\n')
    const id = anchorPattern.exec(heading)?.[1]
    const title = heading.replace(anchorPattern, '').trim()
    return { id: id ?? toSlug(title), heading: title, body: rest.join('\n').trim() }
  })
  const empty = entries.find(({ body, id }) => body === '' || id === '')
  if (empty) return fail(`Write a text below “${empty.heading}”.`)
  const ids = entries.map(({ id }) => id)
  const twice = entries.find(({ id }, at) => ids.indexOf(id) !== at)
  return twice ? fail(`Two entries have the address #${twice.id}. Rename “${twice.heading}”.`) : entries
}
