import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { OperatorProblem } from '#server/operator-problem.ts'
import { type ContentFiles, dropSchema, guidesSchema, promptCategorySchema, toolsSchema } from './content-files.ts'

export const contentDirectory = fileURLToPath(new URL('../../../content', import.meta.url))

/** The files as they are, not yet parsed, and one hash over names and bytes. */
export type RawContent = { hash: string; files: ReadonlyMap<string, string> }

/** Goes up when the same files must be loaded anew because the loading itself has changed. */
const loaderVersion = 3

/** Names the file and the field. */
export class ContentError extends OperatorProblem {
  constructor(file: string, problem: string) {
    super(`Content file content/${file} is not usable: ${problem}`)
    this.name = 'ContentError'
  }
}

/** Reads the bytes alone, which is all that a start with unchanged content needs. */
export function readRawContent(directory: string = contentDirectory): RawContent {
  const names = [...yamlFilesIn(directory, 'drops'), ...yamlFilesIn(directory, 'prompts'), 'guides.yaml', 'tools.yaml']
  const hash = createHash('sha256').update(`loader ${loaderVersion}`)
  const files = new Map<string, string>()
  for (const name of names) {
    const text = readText(directory, name)
    files.set(name, text)
    hash.update(`\0${name}\0${text}`)
  }
  return { hash: hash.digest('hex'), files }
}

/**
 * The parser of the files is loaded here: most starts find the content as it was.
 * @throws ContentError naming the first file and field that are wrong, or two entries that share an id
 */
export async function parseContent({ files }: RawContent): Promise<ContentFiles> {
  const { parse } = await import('yaml')
  const parseFile = <T>(file: string, schema: z.ZodType<T>) =>
    checkFile(file, () => parse(files.get(file) ?? ''), schema)
  const folder = (name: string) => [...files.keys()].filter((file) => file.startsWith(`${name}/`))
  const drops = folder('drops').map((file) => {
    const drop = parseFile(file, dropSchema)
    if (file !== `drops/${drop.slug}.yaml`) throw new ContentError(file, `slug: is "${drop.slug}", not the file's name`)
    refuseDoubles(
      file,
      'sections.id',
      drop.sections.map(({ id }) => id),
    )
    return drop
  })
  const categories = folder('prompts').map((file) => parseFile(file, promptCategorySchema))
  const guides = parseFile('guides.yaml', guidesSchema)
  const tools = parseFile('tools.yaml', toolsSchema)

  refuseDoubles(
    'prompts',
    'key',
    categories.map(({ key }) => key),
  )
  refuseDoubles(
    'prompts',
    'prompts.id',
    categories.flatMap(({ prompts }) => prompts.map(({ id }) => id)),
  )
  refuseDoubles(
    'guides.yaml',
    'id',
    guides.map(({ id }) => id),
  )
  refuseDoubles(
    'tools.yaml',
    'id',
    tools.map(({ id }) => id),
  )
  return { drops, categories, guides, tools }
}

function checkFile<T>(file: string, parse: () => unknown, schema: z.ZodType<T>): T {
  let content: unknown
  try {
    content = parse()
  } catch (error) {
    throw new ContentError(file, error instanceof Error ? error.message : String(error))
  }
  const parsed = schema.safeParse(content)
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  throw new ContentError(file, `${first?.path.map(String).join('.') || 'the file'}: ${first?.message}`)
}

function refuseDoubles(file: string, field: string, values: readonly string[]) {
  const double = values.find((value, index) => values.indexOf(value) !== index)
  if (double !== undefined) throw new ContentError(file, `${field}: "${double}" is there twice`)
}

function yamlFilesIn(directory: string, folder: string): string[] {
  try {
    return readdirSync(join(directory, folder))
      .filter((name) => name.endsWith('.yaml'))
      .sort()
      .map((name) => relative(directory, join(directory, folder, name)).replaceAll(sep, '/'))
  } catch {
    throw new ContentError(folder, 'the folder is missing')
  }
}

function readText(directory: string, name: string): string {
  try {
    return readFileSync(join(directory, name), 'utf8')
  } catch {
    throw new ContentError(name, 'the file is missing')
  }
}
