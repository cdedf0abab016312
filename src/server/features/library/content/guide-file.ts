import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ObjectStore } from '#server/media/disk-store.ts'
import { guideKey } from '#server/media/object-key.ts'

const contentDirectory = fileURLToPath(new URL('../../../../../content/', import.meta.url))

const contentTypes: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export type GuideFile = { name: string; contentType: string; bytes: Uint8Array<ArrayBuffer> }

/** Name of a file in content/guides, a file in content/tools or content/sheets, or an uploaded file. */
export type GuideFileSource =
  | string
  | { folder: 'tools' | 'sheets'; name: string }
  | { hash: string; name: string; contentType: string }

/** A guide's file, or null if it doesn't exist. Read into memory: content files are under 600 kB, and uploads are limited. */
export async function readGuideFile(store: ObjectStore, source: GuideFileSource): Promise<GuideFile | null> {
  if (typeof source === 'string') return readContentFile('guides', source)
  if ('folder' in source) return readContentFile(source.folder, source.name)
  const bytes = await store.get(guideKey(source.hash))
  return bytes && { name: source.name, contentType: source.contentType, bytes }
}

/** Serves only plain file names with a known extension. */
export async function readContentFile(folder: 'guides' | 'tools' | 'sheets', name: string): Promise<GuideFile | null> {
  const contentType = contentTypes[extname(name)]
  if (!contentType || basename(name) !== name) return null
  try {
    return { name, contentType, bytes: new Uint8Array(await readFile(`${contentDirectory}${folder}/${name}`)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Returns a guide file's plain text, which scripts/build-guides.ts writes; empty if there is none. */
export async function readGuideText(name: string): Promise<string> {
  if (!name || basename(name) !== name) return ''
  try {
    return await readFile(`${contentDirectory}guides/text/${name}.txt`, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
