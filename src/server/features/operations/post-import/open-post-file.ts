import { open, readFile, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { openZip, ZipError, type ZipFile } from '#server/features/operations/archive/zip-reader.ts'
import { imageLimits } from '#shared/contracts/publishing/publishing-library.ts'
import { readGhost } from './read-ghost.ts'
import { readMarkdownPost, readMarkdownZip } from './read-markdown.ts'
import { readSubstack } from './read-substack.ts'
import { decodeText, maxPosts, maxTextBytes, type PostFile, PostFileError } from './source-post.ts'

const zipLimits = { maxEntries: 50_000, maxTotalBytes: 4 * 1024 ** 3 }
const maxJsonBytes = 200 * 1024 ** 2

/**
 * Opens an export of Ghost (JSON, or a zip file with it), Substack (zip) or Markdown files (one, or a zip file of them).
 * @throws PostFileError
 */
export async function openPostFile(file: string, name: string): Promise<PostFile> {
  const start = await readStart(file)
  if (start.length === 0) throw new PostFileError('The file is empty')
  if (start[0] === 0x50 && start[1] === 0x4b) return openZipOfPosts(file)
  const { size } = await stat(file)
  if (/\.(md|markdown)$/i.test(name)) {
    if (size > maxTextBytes) throw new PostFileError('The file is too large for one post')
    const post = readMarkdownPost(name, decodeText(await readFile(file), name))
    return { source: 'markdown', posts: [post], readImage: async () => null, close: () => {} }
  }
  const text = start.toString('utf8').replace(/^﻿/, '').trimStart()
  if (text.startsWith('{')) {
    if (size > maxJsonBytes) throw new PostFileError('The JSON file is larger than 200 MB. Export the posts in parts')
    const posts = readGhost(decodeText(await readFile(file), name).replace(/^﻿/, ''))
    return { source: 'ghost', posts, readImage: async () => null, close: () => {} }
  }
  throw new PostFileError(
    'This isn’t an export that we know. Choose Ghost’s JSON file, Substack’s zip file, or Markdown files',
  )
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function openZipOfPosts(file: string): Promise<PostFile> {
  const zip = await openZip(file, zipLimits).catch((error: unknown) => {
    throw new PostFileError(`We can’t open this zip file: ${error instanceof Error ? error.message : 'unknown error'}`)
  })
  try {
    const { source, posts } = await readZip(zip)
    return { source, posts, readImage: (address, folder) => readImage(zip, address, folder), close: () => zip.close() }
  } catch (error) {
    zip.close()
    if (error instanceof ZipError) throw new PostFileError(`We can’t read this zip file: ${error.message}`)
    throw error
  }
}

const isHidden = (path: string) => path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')

async function readZip(zip: ZipFile): Promise<Pick<PostFile, 'source' | 'posts'>> {
  const paths = zip.paths.filter((path) => !isHidden(path))
  const list = paths.find((path) => /(^|\/)posts\.csv$/.test(path))
  if (list) return { source: 'substack', posts: await readSubstack(zip, list) }
  // Ghost puts it in the root or one folder below.
  const json = paths.find((path) => /^([^/]+\/)?[^/]+\.json$/.test(path))
  const markdown = paths.filter((path) => /\.(md|markdown)$/i.test(path) && !/(^|\/)readme\.md$/i.test(path))
  if (markdown.length > maxPosts) throw new PostFileError(`The file has more than ${maxPosts} posts`)
  if (markdown.length > 0) return { source: 'markdown', posts: await readMarkdownZip(zip, markdown) }
  if (json) {
    const text = decodeText(await zip.read(json, maxJsonBytes), json)
    return { source: 'ghost', posts: readGhost(text.replace(/^﻿/, '')) }
  }
  throw new PostFileError('This zip file has no posts: no posts.csv, no JSON file of Ghost, and no Markdown files')
}

/** Addresses as Ghost and Markdown files write them, looked up in the zip file only. */
async function readImage(zip: ZipFile, address: string, folder: string): Promise<Uint8Array | null> {
  const path = decodeAddress(address).replace(/[?#].*$/s, '')
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return null
  const name = path.replace(/^__GHOST_URL__/, '')
  const candidates = [posix.normalize(posix.join(folder, name)), posix.normalize(name).replace(/^\/+/, '')]
  const found =
    candidates.find((candidate) => zip.has(candidate)) ??
    // A Mac writes letters and their accents apart.
    zip.paths.find((entry) => candidates.some((candidate) => candidate.normalize('NFC') === entry.normalize('NFC'))) ??
    zip.paths.find(
      (entry) => name.startsWith('/') && entry.endsWith(name) && entry.split('/').length <= name.split('/').length,
    )
  if (!found) return null
  return zip.read(found, imageLimits.bytes)
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
