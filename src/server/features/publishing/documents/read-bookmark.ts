import { createDocument } from '@mixmark-io/domino'
import type { Deps } from '#server/feature.ts'
import type { Editor } from '#server/features/identity/auth/security/editor.ts'
import { isAllowedAddress } from '#server/http/public-address.ts'
import { failureReasons, type OutgoingRequest, RequestError, sendRequest } from '#server/http/send-request.ts'
import {
  type Bookmark,
  bookmarkLimits,
  imageLimits,
  type MediaImage,
} from '#shared/contracts/publishing/publishing-library.ts'
import { AppError } from '#shared/errors.ts'
import { saveImage } from './images.ts'

type BookmarkDeps = Pick<Deps, 'config' | 'database' | 'store' | 'clock'>

/** Pages with much code before their facts need as much. What comes after it isn't read. */
const maxPageBytes = 1_500_000
const timeoutMs = 8_000
const pictureSize = { width: 800, height: 800 }

/** Elements for the parser, which is slow: metadata up to the next element, as an attribute may contain ">", and the title. */
const metadata = /<meta\s[^<]{1,4000}/gi
const maxMetadata = 200
const pageTitle = /<title\b[^<>]{0,200}>[^<]{0,1000}/i

/**
 * Reads title, description and picture of a page, once, for a bookmark. The picture is stored like an upload. A page that says
 * nothing about itself has empty texts.
 * @throws AppError validation_failed with the reason if the page can't be read, file_store_unavailable
 */
export async function readBookmark(deps: BookmarkDeps, editor: Editor, address: string): Promise<Bookmark> {
  const page = await fetchPage(deps, address)
  const [title = ''] = pageTitle.exec(page) ?? []
  const found = [...page.matchAll(metadata)].slice(0, maxMetadata)
  const document = createDocument(`${title}</title>${found.join('')}`)
  const elements = Array.from(document.querySelectorAll('meta'))
  const read = (...names: string[]) =>
    names
      .map((name) => elements.find((one) => [one.getAttribute('property'), one.getAttribute('name')].includes(name)))
      .map((element) => inLine(element?.getAttribute('content') ?? ''))
      .find(Boolean) ?? ''
  const own = inLine(document.querySelector('title')?.textContent ?? '')
  const picture = URL.parse(read('og:image:secure_url', 'og:image', 'twitter:image'), address)
  return {
    title: shorten(read('og:title', 'twitter:title') || own, bookmarkLimits.title),
    line: shorten(read('og:description', 'description', 'twitter:description'), bookmarkLimits.line),
    image: picture?.href === URL.parse(address)?.href ? null : await fetchPicture(deps, editor, picture),
  }
}

const inLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const shorten = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** For addresses that someone entered or that a page names: the public internet only, also after a redirect. */
const request = (config: BookmarkDeps['config'], accept: string, maxBytes: number): OutgoingRequest => ({
  headers: { Accept: accept, 'User-Agent': 'Mozilla/5.0 (compatible; bookmark)' },
  timeoutMs,
  maxBytes,
  maxRedirects: 3,
  isAllowed: (ip) => isAllowedAddress(config, ip),
  anyPort: config.webhooksAllowLoopback,
})

async function fetchPage({ config }: BookmarkDeps, address: string): Promise<string> {
  const refused = (reason: string) =>
    new AppError('validation_failed', { message: `This page can’t be read: ${reason}. Enter its title yourself.` })
  // The start of a page that is long, or never ends, has its facts.
  const options = { ...request(config, 'text/html', maxPageBytes), cutBody: true }
  const { status, headers, body } = await sendRequest(address, options).catch((error: unknown) => {
    throw error instanceof RequestError ? refused(failureReasons[error.failure]) : error
  })
  if (status !== 200) throw refused(`the server responded with ${status}`)
  const type = headers['content-type'] ?? ''
  if (!/\bx?html\b/i.test(type)) throw refused('it isn’t a web page')
  const start = body.toString('latin1', 0, 2_000)
  const [, charset = 'utf-8'] = /charset=["']?([\w-]{1,40})/i.exec(`${type} ${start}`) ?? []
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8')
  }
}

/** A bookmark without a picture is fine, so a picture that can't be had is left out. */
async function fetchPicture(deps: BookmarkDeps, editor: Editor, picture: URL | null): Promise<MediaImage | null> {
  try {
    const { status, body } = await sendRequest(picture?.href ?? '', request(deps.config, 'image/*', imageLimits.bytes))
    const name = picture?.pathname.split('/').at(-1) ?? ''
    return status === 200 ? await saveImage(deps, editor, { name, file: body }, pictureSize) : null
  } catch (error) {
    if (error instanceof RequestError || (error instanceof AppError && error.code !== 'file_store_unavailable'))
      return null
    throw error
  }
}
