import { expect, test } from 'vitest'
import { answerKey, offlineDropCount } from '#shared/domain/offline-library.ts'
import { imagesOf, maxImageBytes, maxImageBytesInTotal, storeImages } from './store-images.ts'
import { readStoredAnswers } from './stored-answers.ts'

const path = (n: number) => `/media/${n.toString(16).padStart(64, '0')}.png`
const drop = (n: number, html: string) =>
  [answerKey('weekly-drop', { slug: `drop-${n}` }), { output: { issue: { introHtml: html, sections: [] } } }] as const

/** Like the browser's cache: relative paths, one response per URL. */
function createMemoryCache() {
  const stored = new Map<string, Blob>()
  const origin = 'https://frontcounter.test'
  const url = (request: RequestInfo | URL) => new URL(String(request), origin).href
  return {
    paths: () => [...stored.keys()].map((key) => new URL(key).pathname),
    keys: async () => [...stored.keys()].map((key) => new Request(key)),
    match: async (request: RequestInfo | URL) => {
      const blob = stored.get(url(request))
      return blob && new Response(blob)
    },
    put: async (request: RequestInfo | URL, response: Response) => {
      stored.set(url(request), await response.blob())
    },
    delete: async (request: RequestInfo | URL) => stored.delete(url(request)),
  }
}

function createServer(sizes: Record<string, number>) {
  const asked: string[] = []
  const load = async (asking: string) => {
    asked.push(asking)
    const size = sizes[asking]
    return size === undefined ? new Response(null, { status: 404 }) : new Response(new Uint8Array(size))
  }
  return { asked, load }
}

test('images of the twelve newest drops are kept, each once, and none of older or other answers', () => {
  const drops = Array.from({ length: offlineDropCount + 1 }, (_, n) =>
    drop(n, `<img src="${path(n)}" alt="Slip"><img src="${path(0)}" alt="Slip">`),
  )
  const other = [answerKey('tools', {}), { output: { tools: [path(500)] } }] as const
  const answers = readStoredAnswers(new Map<string, { output: unknown }>([other, ...drops]))
  expect(imagesOf(answers)).toEqual(Array.from({ length: offlineDropCount }, (_, n) => path(n)))
})

test('a stored image isn’t loaded again, and one that no drop shows anymore is removed', async () => {
  const cache = createMemoryCache()
  const { asked, load } = createServer({ [path(1)]: 10, [path(2)]: 10, [path(3)]: 10 })
  await storeImages([path(1), path(2)], cache, load)
  await storeImages([path(2), path(3), path(4)], cache, load)
  expect(asked).toEqual([path(1), path(2), path(3), path(4)])
  expect(cache.paths()).toEqual([path(2), path(3)])
})

test('too large images are left out, and the newest come first within the total', async () => {
  const cache = createMemoryCache()
  const many = Array.from({ length: maxImageBytesInTotal / maxImageBytes + 2 }, (_, n) => path(n + 1))
  const { load } = createServer({
    [path(0)]: maxImageBytes + 1,
    ...Object.fromEntries(many.map((one) => [one, maxImageBytes])),
  })
  await storeImages([path(0), ...many], cache, load)
  expect(cache.paths()).toEqual(many.slice(0, maxImageBytesInTotal / maxImageBytes))
})

test('without a connection what is stored stays', async () => {
  const cache = createMemoryCache()
  await storeImages([path(1)], cache, createServer({ [path(1)]: 10 }).load)
  const offline = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(storeImages([path(1), path(2)], cache, offline)).rejects.toThrow('Failed to fetch')
  expect(cache.paths()).toEqual([path(1)])
})
