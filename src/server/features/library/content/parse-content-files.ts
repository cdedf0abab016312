import type { z } from 'zod'
import { OperatorError } from '#server/explain-start-error.ts'
import type { FileProblem } from './check-content-files.ts'
import {
  type ContentFiles,
  dropSchema,
  guidesSchema,
  type PageFiles,
  type PageId,
  pageFile,
  pageSchemas,
  plainPageSchema,
  promptCategorySchema,
  runsSchema,
  type SourcedPage,
  type SourcedPageId,
  sourcedPageSchema,
  sourcesSchema,
  toolsSchema,
  transcriptSchema,
  translationsSchema,
} from './content-files.ts'

/** Names of fields in the files that differ from the parsed content. */
const writtenNames: Record<string, string> = { dataLabel: 'data', checks: 'check' }

type LineFinder = (path: readonly PropertyKey[], line?: number) => number

/** Finds the lines of fields in a YAML file, and lines of their texts. A missing field is found at its closest parent. */
function createLineFinder(yaml: typeof import('yaml'), text: string): LineFinder {
  const { LineCounter, isNode, isScalar, parseDocument } = yaml
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  return (path, line = 1) => {
    const names = path.map((name) => (typeof name === 'string' ? (writtenNames[name] ?? name) : name))
    for (let depth = names.length; depth > 0; depth -= 1) {
      const node = document.getIn(names.slice(0, depth), true)
      if (!isNode(node) || !node.range) continue
      const start = lines.linePos(node.range[0]).line
      if (depth < names.length || !isScalar(node)) {
        // A list or map begins at its first entry, and a missing field belongs to it.
        return start
      }
      const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'
      return isBlock ? start + line : start
    }
    return 1
  }
}

/** Names the file and the field that are wrong. */
export class ContentFileError extends OperatorError {
  constructor(file: string, problem: string) {
    super(`Can’t load content/${file}: ${problem}`)
    this.name = 'ContentFileError'
  }
}

/** Lists everything that is wrong with the content, each with file and line. */
export class ContentProblemsError extends OperatorError {
  constructor(problems: readonly string[]) {
    super(`Can’t load content/:\n${problems.join('\n')}`)
    this.name = 'ContentProblemsError'
  }
}

/** Problems of parsed content files as lines: "content/drops/a.yaml:41: sections.2.body: what to do". */
export async function describeProblems(
  problems: readonly FileProblem[],
  files: ReadonlyMap<string, string>,
): Promise<string[]> {
  const yaml = await import('yaml')
  const finders = new Map<string, LineFinder>()
  return problems.map(({ file, path, line, message }) => {
    const find = finders.get(file) ?? createLineFinder(yaml, files.get(file) ?? '')
    finders.set(file, find)
    return `content/${file}:${find(path, line)}: ${path.join('.')}: ${message}`
  })
}

/**
 * Parses and checks content files, given by path ("drops/a-week-of-reviews.yaml") and text. Loads the YAML parser on
 * demand, since most server starts find the content unchanged.
 * @throws ContentFileError for the first file that is invalid, or for a duplicate id
 */
export async function parseContentFiles(files: ReadonlyMap<string, string>): Promise<ContentFiles> {
  const yaml = await import('yaml')
  const parseFile = <T>(file: string, schema: z.ZodType<T>) => checkFile(yaml, file, files.get(file) ?? '', schema)
  const folder = (name: string) => [...files.keys()].filter((file) => file.startsWith(`${name}/`))
  const drops = folder('drops').map((file) => {
    const drop = parseFile(file, dropSchema)
    if (file !== `drops/${drop.slug}.yaml`) {
      throw new ContentFileError(file, `slug: "${drop.slug}" doesn’t match the file name`)
    }
    rejectDuplicates(file, 'sections.id', drop.sections.map(idOf))
    return drop
  })
  const categories = folder('prompts').map((file) => parseFile(file, promptCategorySchema))
  const guides = parseFile('guides.yaml', guidesSchema)
  const guideTexts = new Map(guides.map(({ file }) => [file, files.get(`guides/text/${file}.txt`) ?? '']))
  const tools = parseFile('tools.yaml', toolsSchema)
  const pages = Object.fromEntries(
    (Object.keys(pageSchemas) as PageId[]).map((id) => [id, parseFile<unknown>(pageFile(id), pageSchemas[id])]),
  ) as PageFiles

  const readSourced = (id: SourcedPageId) => parseFile<SourcedPage>(pageFile(id), sourcedPageSchema)
  const sourcedPages = { states: readSourced('states'), changes: readSourced('changes') }
  const runs = parseFile('runs.yaml', runsSchema)
  const transcripts = folder('transcripts').map((file) => parseFile(file, transcriptSchema))
  const cases = parseFile('cases.yaml', plainPageSchema)
  const sources = parseFile('sources.yaml', sourcesSchema)

  const translations = Object.fromEntries(
    folder('translations').map((file) => {
      const items = parseFile(file, translationsSchema)
      rejectDuplicates(file, 'id', items.map(idOf))
      return [file.slice('translations/'.length, -'.yaml'.length), items]
    }),
  )

  const keys = categories.map(({ key }) => key)
  rejectDuplicates('prompts', 'key', keys)
  rejectDuplicates(
    'prompts',
    'prompts.id',
    categories.flatMap(({ prompts }) => prompts.map(idOf)),
  )
  rejectDuplicates('guides.yaml', 'id', guides.map(idOf))
  rejectDuplicates('tools.yaml', 'id', tools.map(idOf))
  rejectDuplicates('glossary.yaml', 'id', pages.glossary.terms.map(idOf))
  rejectDuplicates('runs.yaml', 'id', runs.map(idOf))
  rejectDuplicates('transcripts', 'id', transcripts.map(idOf))
  return {
    ...{ drops, categories, guides, guideTexts, tools, pages, sourcedPages, runs, transcripts, cases, sources },
    translations,
  }
}

const idOf = ({ id }: { id: string }) => id

function checkFile<T>(yaml: typeof import('yaml'), file: string, text: string, schema: z.ZodType<T>): T {
  let content: unknown
  try {
    content = yaml.parse(text)
  } catch (error) {
    throw new ContentFileError(file, error instanceof Error ? error.message : String(error))
  }
  const parsed = schema.safeParse(content)
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  const line = createLineFinder(yaml, text)(first?.path ?? [])
  throw new ContentFileError(`${file}:${line}`, `${first?.path.map(String).join('.') || 'the file'}: ${first?.message}`)
}

function rejectDuplicates(file: string, field: string, values: readonly string[]) {
  const duplicate = values.find((value, index) => values.indexOf(value) !== index)
  if (duplicate !== undefined) throw new ContentFileError(file, `${field}: "${duplicate}" is used twice`)
}
