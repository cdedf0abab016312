import { createWriteStream, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'
import yazl from 'yazl'
import { openPostFile } from './open-post-file.ts'
import type { ThreadAnswer } from './open-post-thread.ts'
import { createPostThreadCalls } from './post-thread-calls.ts'
import { renderWordPress } from './render-wordpress.ts'

const directory = await mkdtemp(join(tmpdir(), 'services-'))
afterAll(() => rm(directory, { recursive: true }))

const sample = (name: string) => readFileSync(new URL(`../../../../../docs/samples/${name}`, import.meta.url), 'utf8')
let files = 0
async function open(name: string, content: string | Buffer) {
  const path = join(directory, String(files++))
  await writeFile(path, content)
  return createPostThreadCalls(path, name)
}
async function zipOf(texts: Record<string, string>) {
  const zip = new yazl.ZipFile()
  for (const [path, text] of Object.entries(texts)) zip.addBuffer(Buffer.from(text), path)
  zip.end()
  return Buffer.concat(await (zip.outputStream as Readable).toArray())
}

/** Each post with its parts, as the import converts it. */
async function read(name: string, content: string | Buffer) {
  const calls = await open(name, content)
  const { source, posts } = await calls.list()
  const converted = await Promise.all(
    posts.map((post, position) =>
      calls.convert(position).then(
        ({ parts, notes }) => ({ ...post, parts, notes, problem: '' }),
        (error: Error) => ({ ...post, parts: [], problem: error.message }),
      ),
    ),
  )
  return { source, posts: converted }
}
const textOf = (parts: readonly { text: string; isOpen: boolean }[], isOpen: boolean) =>
  parts.flatMap((part) => (part.isOpen === isOpen ? part.text : [])).join('\n\n')

describe('WordPress', () => {
  test('blocks and classic texts are converted, and what members or no one could read stays so', async () => {
    const { source, posts } = await read('till.xml', sample('wordpress.xml'))
    expect(source).toBe('wordpress')
    const [blocks, classic, password, hidden, page, product] = posts
    expect(posts.map(({ title }) => title)).toEqual([
      ...['Counting & closing', 'Old habits', 'For the team', 'Wages', 'About us', 'product (1)'],
    ])
    expect(blocks).toMatchObject({
      ...{ id: '10', slug: 'counting-and-closing', day: '2025-06-30', hiddenBecause: null },
      ...{ publishedAt: new Date('2025-06-30T15:35:36Z'), excerpt: 'Why the second count pays.' },
      ...{ tags: ['Marketing', 'Cash'] },
    })
    expect(blocks?.notes.toSorted()).toEqual([
      'Author at the source: Mara Lind',
      'Changed into a link: an embed or video',
      'Removed: comments (1)',
      'Removed: the block “latest-posts”',
    ])
    const open = textOf(blocks?.parts ?? [], true)
    expect(open).toContain('![](https://till.example.com/wp-content/uploads/till.png)')
    expect(open).toContain('Count twice, as [last year](/portal/weekly-drops/old-habits).')
    expect(open).toContain('## At the close\n\n- Bills first')
    expect(open).toContain('https://videos.example.com/watch/7')
    expect(open).toContain('[Get the sheet](https://example.com/sheet "button")')
    expect(open).not.toContain('wp:')
    expect(textOf(blocks?.parts ?? [], false)).toBe('The numbers of our own till.')

    const words = textOf(classic?.parts ?? [], true)
    expect(words).toContain('A line,  \nand one below.')
    expect(words).toContain('![A till](https://till.example.com/wp-content/uploads/till.png)\n\n*Our first till*')
    expect(words).toContain('https://till.example.com/wp-content/uploads/drawer.png')
    expect(words).toContain('https://videos.example.com/watch/8')
    expect(words).toContain('https://till.example.com/talk.mp3')
    expect(words).toContain('Words in brackets \\[sic\\] stay.')
    expect(words).toContain('\\[gallery\\] is only shown')
    expect(textOf(classic?.parts ?? [], false)).toBe('What our members paid for.')
    expect(classic?.notes).toContain('Not imported: pictures of a gallery that the file doesn’t name (1)')
    expect(classic?.notes).toContain('Removed: the shortcode [contact-form-7]')
    expect(classic?.notes.join()).toContain('only the old site knows who could read the shortcode [restrict]')

    expect(password).toMatchObject({
      hiddenBecause: 'it’s protected by a password at the source',
      publishedAt: null,
    })
    expect(hidden).toMatchObject({ hiddenBecause: 'the file says “status: private”', publishedAt: null })
    expect(page?.problem).toContain('It’s a page')
    expect(product?.problem).toContain('neither a post nor a page')
  })

  test('a zip file with the parts of WordPress.com is one export', async () => {
    const whole = sample('wordpress.xml')
    const empty = whole.replace(/<item>[\s\S]*<\/item>/, '')
    const { posts } = await read('site.zip', await zipOf({ 'a/site.000.xml': whole, 'a/site.001.xml': empty }))
    expect(posts).toHaveLength(6)
  })

  const wxr = (inside: string, before = '') =>
    `<?xml version="1.0"?>${before}<rss xmlns:wp="w" xmlns:content="c"><channel>${inside}</channel></rss>`
  const post = (content: string, more = '') =>
    `<item><title>T</title><wp:post_id>1</wp:post_id><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>${more}<content:encoded><![CDATA[${content}]]></content:encoded></item>`

  test.each([
    [
      'entities that expand',
      wxr('<item>&b;</item>', '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'),
      'DOCTYPE',
    ],
    ['an entity that isn’t declared', wxr('<item>&lol;</item>'), 'broken or was cut off'],
    ['a file that was cut off', wxr(post('x')).slice(0, 200), 'broken or was cut off'],
    ['another XML file', '<html><body/></html>', 'isn’t an export of WordPress'],
    ['deep nesting', wxr('<a>'.repeat(60)), 'nested too deeply'],
    ['bytes that aren’t UTF-8', Buffer.from([0x3c, 0x72, 0x73, 0x73, 0x3e, 0xff, 0xfe]), 'isn’t UTF-8'],
  ])('refuses %s', async (_, content, problem) => {
    await expect((await open('a.xml', content)).list()).rejects.toThrow(problem)
  })

  test('characters that XML forbids are left out, and a text that is too long costs its post only', async () => {
    const { posts } = await read('a.xml', wxr(post('a\u000bb') + post('y'.repeat(2_100_000))))
    expect(posts.map(({ parts, problem }) => [textOf(parts, true), problem])).toEqual([
      ['ab', ''],
      ['', 'Its text is longer than 2 MB'],
    ])
  })

  test('a field of a membership plugin keeps a post for members', async () => {
    const meta = (value: string) =>
      `<wp:postmeta><wp:meta_key>_members_access_role</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`
    const { posts } = await read('a.xml', wxr(post('x', meta('gold')) + post('y', meta(''))))
    expect(posts.map(({ parts }) => parts[0]?.isOpen)).toEqual([false, true])
  })

  test('everything inside a block that restricts its readers is for members', async () => {
    const content =
      '<!-- wp:paragraph --><p>Open</p><!-- /wp:paragraph --><!-- wp:premium-content/container --><!-- wp:group --><p>Closed</p><!-- /wp:group --><!-- /wp:premium-content/container --><p>Open too</p>'
    const [{ parts } = { parts: [] }] = (await read('a.xml', wxr(post(content)))).posts
    expect(textOf(parts, false)).toBe('Closed')
    expect(textOf(parts, true)).toBe('Open\n\nOpen too')
  })

  test('shortcodes that are never closed take no longer for being many', () => {
    const shown = (count: number) => {
      const start = performance.now()
      renderWordPress('[caption id="1"]text [gallery ids="9"] [/x] '.repeat(count), { uploads: new Map(), cover: '' })
      return performance.now() - start
    }
    expect(renderWordPress('[caption id="1"]Alone', { uploads: new Map(), cover: '' }).html).toBe('<p>Alone</p>')
    expect(shown(1_600)).toBeLessThan(5_000)
    expect(() => shown(2_000)).toThrow('too many shortcodes')
  })

  test('a large file needs no more memory than a small one', { timeout: 120_000 }, async () => {
    const path = join(directory, 'large.xml')
    const pages = Array.from({ length: 640 }, (_, index) =>
      post('Word '.repeat(20_000), `<link>https://a.test/${index}</link>`),
    )
    await pipeline(
      Readable.from([wxr('').split('</channel>')[0] ?? '', ...pages, '</channel></rss>']),
      createWriteStream(path),
    )
    // The text alone, 64 MB, wouldn't fit.
    const worker = new Worker(new URL('./entry-post-file.ts', import.meta.url), {
      workerData: { path, name: 'large.xml' },
      resourceLimits: { maxOldGenerationSizeMb: 48 },
    })
    const answer = await new Promise<ThreadAnswer>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
      worker.postMessage({ id: 1, call: 'list', args: [] })
    })
    await worker.terminate()
    expect(answer.result).toMatchObject({ source: 'wordpress', posts: { length: 640 } })
  })
})

test('beehiiv: the text of an email without its frame, and only posts for free readers are open', async () => {
  const { source, posts } = await read('posts.csv', sample('beehiiv.csv'))
  expect(source).toBe('beehiiv')
  const [free, premium, both, draft] = posts
  expect(free).toMatchObject({
    ...{ slug: 'the-second-count', excerpt: 'Why it pays', tags: ['Marketing', 'Cash'], hiddenBecause: null },
    publishedAt: new Date('2024-05-01T10:00:00Z'),
  })
  expect(textOf(free?.parts ?? [], true)).toBe(
    [
      '## At the close',
      'Count **twice**.',
      '| Bill | Count |\n| --- | --- |\n| 20  | 14  |',
      '[Get the sheet](https://example.com/sheet "button")',
      'See [the numbers](/portal/weekly-drops/for-members).',
    ].join('\n\n'),
  )
  expect(textOf(premium?.parts ?? [], false)).toBe('The numbers of our own till.')
  expect(both?.parts.every(({ isOpen }) => !isOpen)).toBe(true)
  expect(both?.notes).toEqual(['For members, because the file doesn’t say what free readers could see'])
  expect(draft).toMatchObject({ hiddenBecause: 'it’s a draft at the source', publishedAt: null })
})

describe('Buttondown', () => {
  const texts = () =>
    Object.fromEntries(
      ['emails.csv', 'emails/plain-words.md', 'emails/fancy-words.md', 'emails/to-a-few.md'].map((name) => [
        `export/${name}`,
        sample(`buttondown/${name}`),
      ]),
    )

  test('Markdown and HTML, open by the type of the email', async () => {
    const { source, posts } = await read('export.zip', await zipOf(texts()))
    expect(source).toBe('buttondown')
    const [plain, premium, hidden, missing] = posts
    expect(plain).toMatchObject({
      title: 'Plain words',
      slug: 'plain-words',
      publishedAt: new Date('2023-01-02T16:55:00Z'),
    })
    expect(textOf(plain?.parts ?? [], true)).toBe('Hello , count **twice**.\n\n## At the close\n\nBills first.')
    expect(textOf(premium?.parts ?? [], false)).toBe('## The numbers\n\nOf our *own* till.')
    expect(hidden).toMatchObject({ hiddenBecause: 'it was only sent to subscribers', publishedAt: null })
    expect(missing?.problem).toBe('Its text is missing from the export')
  })

  test('without a type no one but members can read it; a list as JSON may have the texts and other states', async () => {
    const emails = [
      { id: 'a', subject: 'One', slug: 'one', publish_date: '2024-01-01T00:00:00Z', body: 'Text' },
      { id: 'b', subject: 'Two', slug: 'two', email_type: 'public', status: 'scheduled', body: 'Text' },
    ]
    const { posts } = await read('export.zip', await zipOf({ 'emails.json': JSON.stringify(emails) }))
    expect(posts.map(({ parts, hiddenBecause }) => [parts[0]?.isOpen, hiddenBecause])).toEqual([
      [false, null],
      [true, 'the file says “status: scheduled”'],
    ])
  })

  test('files of its command line are Markdown with a subject', async () => {
    const text =
      '---\nid: x1\nsubject: Hello\nemail_type: public\nstatus: sent\nslug: hello\npublish_date: 2024-01-15T10:00:00Z\n---\n\nText\n'
    const { posts } = await read('hello.md', text)
    expect(posts[0]).toMatchObject({
      title: 'Hello',
      hiddenBecause: null,
      publishedAt: new Date('2024-01-15T10:00:00Z'),
    })
    expect(posts[0]?.parts[0]?.isOpen).toBe(true)
  })
})

test('a list that is broken says so', async () => {
  await writeFile(join(directory, 'broken.csv'), 'id,content_html\n1,"never closed')
  await expect(openPostFile(join(directory, 'broken.csv'), 'broken.csv')).rejects.toThrow('a quote isn’t closed')
})
