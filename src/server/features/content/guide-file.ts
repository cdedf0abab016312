import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const guidesDirectory = fileURLToPath(new URL('../../../../content/guides/', import.meta.url))

const contentTypes: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export type GuideFile = { name: string; contentType: string; bytes: Uint8Array<ArrayBuffer> }

/**
 * A guide's file, or null when it is not there. Only plain names of the known types leave the folder. Read whole:
 * the files stay under 600 kB.
 */
export async function readGuideFile(name: string): Promise<GuideFile | null> {
  const contentType = contentTypes[extname(name)]
  if (!contentType || basename(name) !== name) return null
  try {
    return { name, contentType, bytes: new Uint8Array(await readFile(`${guidesDirectory}${name}`)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
