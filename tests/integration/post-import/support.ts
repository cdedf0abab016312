import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import yazl from 'yazl'

/** One pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A zip file of texts and bytes by path. */
export async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream as Readable) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Ghost's export as docs.ghost.org/migration/custom describes it. */
export const ghostExport = (posts: object[]) =>
  JSON.stringify({
    db: [
      {
        meta: { exported_on: 1_753_891_082_041, version: '6.0.0' },
        data: {
          posts: posts.map((post, index) => ({
            id: `${6_000 + index}`,
            title: `Post ${index + 1}`,
            slug: `post-${index + 1}`,
            html: '<p>Hello.</p>',
            type: 'post',
            status: 'published',
            visibility: 'public',
            created_at: '2025-06-30 15:31:36',
            updated_at: '2025-07-02 08:22:14',
            published_at: '2025-06-30 15:35:36',
            custom_excerpt: null,
            feature_image: null,
            ...post,
          })),
          posts_meta: [{ post_id: '6000', feature_image_alt: 'A full till' }],
          tags: [
            { id: '3456', name: 'Marketing', slug: 'marketing' },
            { id: '3457', name: 'News & Weather', slug: 'news' },
          ],
          posts_tags: [
            { post_id: '6000', tag_id: '3456' },
            { post_id: '6000', tag_id: '3457' },
          ],
          users: [],
        },
      },
    ],
  })

/** Substack's export: posts.csv, and one HTML file per post. */
export const substackExport = () =>
  zipOf({
    'posts.csv': [
      'post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url',
      '148210.leaving-the-feed,2024-05-01T10:00:00.000Z,true,2024-05-01T10:05:00.000Z,,newsletter,everyone,"Leaving the feed, ""for good""",Why we did it,',
      '148211.a-draft,,false,,,newsletter,only_paid,A draft,,',
      '148212.gone,2024-06-01T10:00:00.000Z,true,,,podcast,everyone,No file,,https://example.test/a.mp3',
      '',
    ].join('\n'),
    'posts/148210.leaving-the-feed.html':
      '<p>We left.</p><h3>What changed</h3><p>Less noise.</p><div class="subscription-widget-wrap"><form><input type="email"></form></div><iframe src="https://www.youtube.com/embed/abc" title="The talk"></iframe>',
    'posts/148211.a-draft.html': '<p>Not yet.</p><p>More to come.</p>',
  })

/** A server on this machine that counts what it is asked for. */
export async function startImageServer() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/redirect') return response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end()
    if (request.url === '/loop') return response.writeHead(302, { Location: '/loop' }).end()
    if (request.url === '/nowhere') return response.writeHead(302, { Location: 'http://[' }).end()
    if (request.url === '/upgrade') return response.socket?.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    if (request.url === '/half') {
      return response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
    }
    if (request.url === '/endless') return Readable.from(endless()).pipe(response)
    if (request.url === '/text.png') return response.end('<script>alert(1)</script>')
    if (request.url === '/missing.png') return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(png)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function* endless() {
  for (;;) yield Buffer.alloc(64 * 1024)
}

export const writeTo = (path: string, bytes: Buffer) =>
  new Promise<void>((resolve, reject) =>
    createWriteStream(path)
      .on('error', reject)
      .end(bytes, () => resolve()),
  )
