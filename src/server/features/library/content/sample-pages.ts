import { formatDay } from '#shared/domain/format.ts'
import type { ContentFiles, SamplePageId, SourcedPage, Transcript } from './content-files.ts'

/** A page for members, in Markdown. */
export type SamplePage = { path: string; title: string; body: string }

type Group = { title: string; rows: readonly (readonly string[])[] }

const linkTo = (source: string) => `[${new URL(source).hostname}](${source})`

/** A line for each row; line breaks and bars would end a cell. */
const table = (columns: readonly string[], rows: Group['rows']) =>
  [columns, columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

const tables = (columns: readonly string[], groups: readonly Group[]) =>
  groups.filter(({ rows }) => rows.length > 0).map(({ title, rows }) => `## ${title}\n\n${table(columns, rows)}`)

/** Groups of changes.yaml with the items “What changed” of drops that name them, newest first. */
export function changeGroups({ drops, sourcedPages }: Pick<ContentFiles, 'drops' | 'sourcedPages'>) {
  const { groups } = sourcedPages.changes
  const found = drops
    .toSorted((a, b) => b.date.localeCompare(a.date))
    .flatMap(({ slug, date, sections }) => {
      const section = sections.find(({ id }) => id === 'what-changed')
      const text = /^\*\*What\.\*\* (.+)$/m.exec(section?.body ?? '')?.[1]
      if (!section || !text) return []
      const title = section.heading.replace(/^What changed: /, '')
      return [
        {
          on: date,
          title: title.charAt(0).toUpperCase() + title.slice(1),
          text,
          path: `/portal/weekly-drops/${slug}#what-changed`,
        },
      ]
    })
  const names = ({ names: own }: SourcedPage['groups'][number], { title, text }: (typeof found)[number]) =>
    own.some((name) => `${title} ${text}`.includes(name))
  return groups.map((group) => ({
    ...group,
    items: found.filter((item) =>
      group.names.length > 0 ? names(group, item) : !groups.some((other) => names(other, item)),
    ),
  }))
}

const statesPage = ({ sourcedPages: { states } }: ContentFiles): string =>
  [
    states.intro.trim(),
    ...tables(
      [...states.columns, 'Source', 'Opened'],
      states.groups.map(({ title, rows }) => ({
        title,
        rows: rows.map(({ name, text, source, checkedOn = states.checkedOn }) => [
          ...[name, text, linkTo(source)],
          formatDay(checkedOn),
        ]),
      })),
    ),
  ].join('\n\n')

const changesPage = (content: ContentFiles): string => {
  const { intro, columns } = content.sourcedPages.changes
  const groups = changeGroups(content).map(({ title, items, rows }) => ({
    title,
    rows: [
      ...items.map(({ on, text, title: name, path }) => [formatDay(on), text, `[${name}](${path})`]),
      ...rows.map(({ name, text, source }) => [name, text, linkTo(source)]),
    ],
  }))
  return [intro.trim(), ...tables([...columns, 'Read more'], groups)].join('\n\n')
}

/** The prepared inputs, or what an assistant answered. */
function runsPage({ categories, tools, runs, transcripts }: ContentFiles): string {
  const titles = new Map(categories.flatMap(({ prompts }) => prompts.map(({ id, title }) => [id, title])))
  const transcriptOf = (id: string) => transcripts.find((transcript) => transcript.id === id)
  return [
    'Each prompt and tool below has five invented inputs, the answer to expect, and what to check. Where nothing was tried, it says so. Answers are shown as the assistant gave them.',
    ...runs.map(({ id, inputs }) =>
      [
        `## [${titles.get(id) ?? id}](/portal/prompt-packs#${id})`,
        describeRun(transcriptOf(id)) ??
          table(
            ['Input', 'Expect', 'Check'],
            inputs.map((row) => [row.input, row.expect, row.check]),
          ),
      ].join('\n\n'),
    ),
    '## Tools',
    ...tools.map(({ id, name }) =>
      [
        `### [${name}](/portal/tools#${id})`,
        describeRun(transcriptOf(id)) ?? 'Not yet tried. The five inputs are in its test sheet.',
      ].join('\n\n'),
    ),
  ].join('\n\n')
}

const quote = (text: string) => text.trim().replaceAll(/^/gm, '> ')

function describeRun(transcript: Transcript | undefined): string | null {
  if (!transcript) return null
  const { on, assistant, tries, changed } = transcript
  const passed = tries.filter((each) => each.passed).length
  return [
    `Tried on ${formatDay(on)} with ${assistant}: ${passed} of ${tries.length} as expected.`,
    ...tries.flatMap(({ input, answer, check, passed: isGood, note }) => [
      `**Input.** ${input}`,
      quote(answer),
      `**${isGood ? 'As expected' : 'Not as expected'}.** ${check} ${note}`.trim(),
    ]),
    ...(changed ? [`**What we changed.** ${changed}`] : []),
  ].join('\n\n')
}

/** Pages for members, by id. */
export const samplePagesOf = (content: ContentFiles): Record<SamplePageId, SamplePage> => {
  const { states, changes } = content.sourcedPages
  return {
    states: { ...states, body: statesPage(content) },
    changes: { ...changes, body: changesPage(content) },
    runs: { path: 'test-runs', title: 'Test runs', body: runsPage(content) },
    cases: content.cases,
  }
}
