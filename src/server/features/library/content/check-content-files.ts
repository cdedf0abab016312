import {
  type ContentProblem,
  checkDay,
  checkGuide,
  checkIssue,
  checkLeftovers,
  checkMarkdown,
  checkPack,
  checkSums,
  checkTool,
} from '#shared/domain/check-content.ts'
import { otherKind } from '#shared/domain/deadlines.ts'
import { internalLinksIn, type LinkTargets, problemOfLink } from '#shared/domain/internal-links.ts'
import { type ContentFiles, type DropFile, type PageFiles, type PageId, pageFile } from './content-files.ts'
import { findStiffPhrases } from './find-stiff-phrases.ts'
import { linkTargetsOfFiles } from './link-targets.ts'
import { listFacts, listUnusedSources } from './list-facts.ts'
import { fingerprintOf } from './translations.ts'

/** A problem of a content file, with the field that has it. */
export type FileProblem = ContentProblem & { file: string }

type Path = ContentProblem['path']

/**
 * Problems that the schemas of the files can't see: the lead, links, variables, sums, dates, leftovers.
 * @param today given by the build: no check may be dated later, and pages link to no drop that is still to come
 */
export function checkContentFiles(files: ContentFiles, today = '9999-12-31'): FileProblem[] {
  /** What readers can open on that day. */
  const targetsOn = (day: string) =>
    linkTargetsOfFiles({ ...files, drops: files.drops.filter(({ date }) => date <= day) })
  const inFile = (file: string, problems: ContentProblem[]) => problems.map((problem) => ({ ...problem, file }))
  return [
    ...files.drops.flatMap((drop) => inFile(`drops/${drop.slug}.yaml`, checkDrop(drop, targetsOn(drop.date), today))),
    ...files.categories.flatMap((category) =>
      inFile(`prompts/${category.key}.yaml`, [
        ...checkDay(['checkedOn'], category.checkedOn, today),
        ...checkPack(category),
      ]),
    ),
    ...files.guides.flatMap((guide, index) =>
      inFile('guides.yaml', [...checkDay([index, 'checkedOn'], guide.checkedOn, today), ...checkGuide([index], guide)]),
    ),
    ...files.tools.flatMap((tool, index) =>
      inFile('tools.yaml', [
        ...checkDay([index, 'checkedOn'], tool.checkedOn, today),
        ...checkDay([index, 'testedOn'], tool.testedOn, today),
        ...checkTool([index], tool),
      ]),
    ),
    ...stiffPhrasesIn(files),
    ...Object.entries(files.sourcedPages).flatMap(([id, { checkedOn }]) =>
      inFile(`${id}.yaml`, checkDay(['checkedOn'], checkedOn, today)),
    ),
    ...checkPages(files.pages, targetsOn(today), today, inFile),
    ...checkNotes(files, today),
    ...checkTranslations(files, today),
    ...checkSources(files, today),
  ]
}

/** Rules, changes, runs and transcripts name items that exist, and a rule of a state says of which. */
function checkNotes(
  { drops, categories, guides, tools, sourcedPages, runs, transcripts }: ContentFiles,
  today: string,
) {
  const prompts = categories.flatMap((category) => category.prompts.map(({ id }) => id))
  const toolIds = tools.map(({ id }) => id)
  // A drop that is still to come isn't among the files that a server loads.
  const isDropToCome = (id: string) => today === '9999-12-31' && !drops.some(({ slug }) => slug === id)
  const shown = new Set([...drops.map(({ slug }) => slug), ...prompts, ...guides.map(({ id }) => id)])
  const unknown = (file: string, path: Path, ids: readonly string[], known: ReadonlySet<string>): FileProblem[] =>
    ids
      .filter((id) => !known.has(id) && !isDropToCome(id))
      .map((id) => ({ file, path, line: 1, message: `There is no item “${id}”` }))
  return [
    ...sourcedPages.states.groups.flatMap(({ shownAt, rows }, at) => [
      ...unknown('states.yaml', ['groups', at, 'shownAt'], shownAt, shown),
      ...rows.flatMap(({ states, checkedOn }, row) => [
        ...checkDay(['groups', at, 'rows', row, 'checkedOn'], checkedOn ?? null, today).map(inStates),
        ...(states.length > 0
          ? []
          : [inStates({ path: ['groups', at, 'rows', row], line: 1, message: 'Name its states, or US for all' })]),
      ]),
    ]),
    ...sourcedPages.changes.groups.flatMap((group, at) =>
      unknown('changes.yaml', ['groups', at, 'tools'], group.tools, new Set(toolIds)),
    ),
    ...runs.flatMap(({ id }, at) => unknown('runs.yaml', [at, 'id'], [id], new Set(prompts))),
    ...transcripts.flatMap(({ id, on }) => [
      ...unknown(`transcripts/${id}.yaml`, ['id'], [id], new Set([...prompts, ...toolIds])),
      ...checkDay(['on'], on, today).map((problem) => ({ ...problem, file: `transcripts/${id}.yaml` })),
    ]),
  ]
}

/** Translations are of items that exist. A server also loads one whose original has changed since, and its page says so. */
function checkTranslations({ drops, categories, translations }: ContentFiles, today: string): FileProblem[] {
  const originals = new Map<string, string>([
    ...categories.flatMap(({ prompts }) =>
      prompts.map((prompt) => [`prompt:${prompt.id}`, fingerprintOf({ ...prompt, lead: prompt.when })] as const),
    ),
    ...drops.flatMap(({ slug, sections }) =>
      sections.map(
        ({ id, heading, summary, body }) =>
          [`section:${slug}--${id}`, fingerprintOf({ title: heading, lead: summary, body, checks: [] })] as const,
      ),
    ),
  ])
  const isBuild = today !== '9999-12-31'
  return Object.entries(translations).flatMap(([language, items]) =>
    items.flatMap(({ kind, id, of, translatedOn }, index): FileProblem[] => {
      const inFile = { file: `translations/${language}.yaml`, line: 1 }
      const original = originals.get(`${kind}:${id}`)
      const problems = checkDay([index, 'translatedOn'], translatedOn, today).map((each) => ({ ...each, ...inFile }))
      if (!isBuild || original === of) return problems
      const message = original
        ? `The original has changed since. Bring the translation up to date, then write of: ${original}`
        : `There is no ${kind} “${id}”`
      return [...problems, { ...inFile, path: [index, 'of'], message }]
    }),
  )
}

/** Every figure, price and law has a source. A server loads fewer drops than there are, so it doesn't look for unused ones. */
function checkSources(files: ContentFiles, today: string): FileProblem[] {
  const unsourced = listFacts(files).filter(({ source }) => source === null)
  return [
    ...unsourced.map(({ file, path, fact }) => ({
      ...{ file, path, line: 1 },
      message: `“${fact}” has no source. Link to it in the section, or name it in sources.yaml`,
    })),
    ...(today === '9999-12-31' ? [] : listUnusedSources(files)).map(({ index, fact }) => ({
      ...{ file: 'sources.yaml', path: [index, 'facts'], line: 1 },
      message: `“${fact}” isn’t in the text`,
    })),
    ...files.sources.flatMap(({ opened }, index) =>
      checkDay([index, 'opened'], opened, today).map((problem) => ({ ...problem, file: 'sources.yaml' })),
    ),
  ]
}

const inStates = (problem: ContentProblem): FileProblem => ({ ...problem, file: 'states.yaml' })

function stiffPhrasesIn({
  drops,
  categories,
  guides,
  tools,
  pages,
  sourcedPages,
  cases,
  runs,
}: ContentFiles): FileProblem[] {
  const named: Record<string, unknown> = {
    ...Object.fromEntries(drops.map((drop) => [`drops/${drop.slug}.yaml`, drop])),
    ...Object.fromEntries(categories.map((category) => [`prompts/${category.key}.yaml`, category])),
    ...Object.fromEntries(Object.entries({ ...pages, ...sourcedPages }).map(([id, page]) => [`${id}.yaml`, page])),
    'guides.yaml': guides,
    'tools.yaml': tools,
    'runs.yaml': runs,
    'cases.yaml': cases,
  }
  const inValue = (value: unknown, path: Path): ContentProblem[] => {
    if (typeof value === 'string')
      return findStiffPhrases(value).map(({ line, phrase, advice }) => ({
        ...{ path, line },
        message: `“${phrase}” isn’t what an American editor would write: ${advice}`,
      }))
    if (Array.isArray(value)) return value.flatMap((item, index) => inValue(item, [...path, index]))
    return Object.entries(value ?? {}).flatMap(([key, item]) => inValue(item, [...path, key]))
  }
  return Object.entries(named).flatMap(([file, value]) => inValue(value, []).map((problem) => ({ ...problem, file })))
}

function checkDrop(drop: DropFile, targets: LinkTargets, today: string): ContentProblem[] {
  const { slug, worth, intro, closing, sections } = drop
  const texts: [Path, string][] = [
    [['worth'], worth],
    [['intro'], intro],
    ...sections.flatMap(({ body, examples }, index): [Path, string][] => [
      [['sections', index, 'body'], body],
      ...Object.entries(examples).map(([vertical, text]): [Path, string] => [
        ['sections', index, 'examples', vertical],
        text,
      ]),
    ]),
    [['closing'], closing],
  ]
  return [
    ...checkDay(['checkedOn'], drop.checkedOn, today),
    ...checkIssue(drop),
    ...checkTouches(sections),
    ...texts.flatMap(([path, text]) => checkLinks(path, text, slug, targets)),
  ]
}

/** Readers' rules are applied to what sections touch, so none that needs an AI tool may be left out. */
const checkTouches = (sections: DropFile['sections']): ContentProblem[] =>
  sections.flatMap(({ kind, touches }, index) => {
    const path = ['sections', index, 'touches']
    if (kind === 'prompt' && !touches.includes('allowed-tools'))
      return [{ path, line: 1, message: 'A prompt goes into an AI tool. Add allowed-tools' }]
    if (kind === 'question' && touches.length > 0)
      return [{ path, line: 1, message: 'Asking the franchisor needs no permission. Leave it empty' }]
    return []
  })

const checkLinks = (path: Path, text: string, slug: string | null, targets: LinkTargets): ContentProblem[] =>
  internalLinksIn(text).flatMap(({ line, address }) => {
    const message = problemOfLink(address, slug, targets)
    return message === null ? [] : [{ path, line, message }]
  })

type InFile = (file: string, problems: ContentProblem[]) => FileProblem[]

function checkPages(pages: PageFiles, targets: LinkTargets, today: string, inFile: InFile): FileProblem[] {
  const inPage = <Id extends PageId>(id: Id) =>
    inFile(pageFile(id), [
      ...checkDay(['checkedOn'], pages[id].checkedOn, today),
      ...pageChecks[id](pages[id], targets),
    ])
  return [
    ...inPage('glossary'),
    ...inPage('safety'),
    ...inPage('start-here'),
    ...inPage('method'),
    ...inPage('deadlines'),
  ]
}

/** Pages have a fixed order, so their texts may refer to positions. */
const checkText = (path: Path, text: string, targets: LinkTargets) => [
  ...checkLeftovers(path, text),
  ...checkSums(path, text),
  ...checkLinks(path, text, null, targets),
]

/** Problems of a page's texts. */
export const pageChecks: { [Id in PageId]: (page: PageFiles[Id], targets: LinkTargets) => ContentProblem[] } = {
  glossary: ({ terms }, targets) =>
    terms.flatMap(({ definition, seeAlso }, index) => [
      ...checkMarkdown(['terms', index, 'definition'], definition),
      ...checkLinks(['terms', index, 'definition'], definition, null, targets),
      ...seeAlso
        .filter((id) => !targets.terms.has(id))
        .map((id) => ({ path: ['terms', index, 'seeAlso'], line: 1, message: `There is no term “${id}”` })),
    ]),
  safety: (safety, targets) => [
    ...(['intro', 'mayGoIn', 'decisions', 'incidents'] as const).flatMap((field) =>
      checkText([field], safety[field], targets),
    ),
    ...safety.never.flatMap(({ why, exception }, index) => [
      ...checkText(['never', index, 'why'], why, targets),
      ...checkText(['never', index, 'exception'], exception, targets),
    ]),
  ],
  'start-here': (page, targets) => [
    ...checkText(['intro'], page.intro, targets),
    ...(['win', 'policy', 'pilot'] as const).flatMap((step) => {
      const { body, link } = page[step]
      const message = problemOfLink(link.path, null, targets)
      return [
        ...checkText([step, 'body'], body, targets),
        ...(message === null ? [] : [{ path: [step, 'link', 'path'], line: 1, message }]),
      ]
    }),
  ],
  method: ({ body, criteria }, targets) => [
    ...checkText(['body'], body, targets),
    ...criteria.flatMap((criterion, index) => checkText(['criteria', index, 'body'], criterion.body, targets)),
  ],
  deadlines: ({ kinds }, targets) =>
    kinds.flatMap(({ id, label, prepare }, index) => {
      const path: Path = ['kinds', index]
      const message = prepare && problemOfLink(prepare.path, null, targets)
      return [
        ...checkLeftovers([...path, 'label'], label),
        ...(message ? [{ path: [...path, 'prepare', 'path'], line: 1, message }] : []),
        ...(kinds.findIndex((other) => other.id === id) < index || id === otherKind
          ? [{ path: [...path, 'id'], line: 1, message: `The id “${id}” is taken` }]
          : []),
      ]
    }),
}
