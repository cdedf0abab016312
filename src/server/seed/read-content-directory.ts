import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PageId, pageFile, pageSchemas } from '#server/features/library/content/content-files.ts'
import { ContentFileError } from '#server/features/library/content/parse-content-files.ts'

export const contentDirectory = fileURLToPath(new URL('../../../content', import.meta.url))

/** File texts by path, and one hash over paths and texts. */
export type ContentDirectory = { hash: string; files: ReadonlyMap<string, string> }

/** Increase it to reload unchanged files after a change to the seed itself. */
const loaderVersion = 12

/**
 * Reads the files without parsing them.
 * @param until leaves out the drops that are dated after this day. Default: reads all
 * @throws ContentFileError for a missing file or folder
 */
export function readContentDirectory(directory: string = contentDirectory, until?: string): ContentDirectory {
  const pages = (Object.keys(pageSchemas) as PageId[]).map(pageFile)
  const names = [
    ...yamlFilesIn(directory, 'drops'),
    ...yamlFilesIn(directory, 'prompts'),
    ...['transcripts', 'translations'].flatMap((folder) =>
      existsSync(join(directory, folder)) ? yamlFilesIn(directory, folder) : [],
    ),
    'guides.yaml',
    'tools.yaml',
    ...pages,
    'states.yaml',
    'changes.yaml',
    'runs.yaml',
    'cases.yaml',
    'sources.yaml',
  ]
  const hash = createHash('sha256').update(`loader ${loaderVersion}`)
  const files = new Map<string, string>()
  for (const name of names) {
    const text = readText(directory, name)
    if (until !== undefined && name.startsWith('drops/') && dateOf(text) > until) continue
    files.set(name, text)
    hash.update(`\0${name}\0${text}`)
  }
  for (const name of textsOfGuides(directory)) {
    const text = readText(directory, name)
    files.set(name, text)
    hash.update(`\0${name}\0${text}`)
  }
  return { hash: hash.digest('hex'), files }
}

const dateOf = (drop: string): string => /^date: (\d{4}-\d\d-\d\d)$/m.exec(drop)?.[1] ?? ''

function textsOfGuides(directory: string): string[] {
  const folder = join(directory, 'guides/text')
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => `guides/text/${name}`)
    : []
}

function yamlFilesIn(directory: string, folder: string): string[] {
  try {
    return readdirSync(join(directory, folder))
      .filter((name) => name.endsWith('.yaml'))
      .sort()
      .map((name) => `${folder}/${name}`)
  } catch {
    throw new ContentFileError(folder, 'the folder is missing')
  }
}

function readText(directory: string, name: string): string {
  try {
    return readFileSync(join(directory, name), 'utf8')
  } catch {
    throw new ContentFileError(name, 'the file is missing')
  }
}
