import { expect, test } from 'vitest'
import { convertPost } from './convert-post.ts'
import { readGhost } from './read-ghost.ts'
import { readMarkdownPost } from './read-markdown.ts'
import { createOwnLinks } from './source-post.ts'

const file = (name: string, body: string) =>
  readMarkdownPost(name, `---\ntitle: ${name.replace(/.*\//, '').replace(/\.md$/, '')}\ndate: 2024-01-01\n---\n${body}`)
const posts = (body: string) => [
  file('posts/a.md', body),
  file('_posts/2023-03-01-other.md', 'x'),
  file('Tide tables.md', 'x'),
]
const read = (body: string) => {
  const all = posts(body)
  return convertPost(all[0] as (typeof all)[number], createOwnLinks(all))
}
const textOf = async (body: string) => (await read(body)).parts.map(({ text }) => text).join('\n\n')

test.each<[written: string, becomes: string]>([
  ['{% highlight ruby %}\nputs 1\n{% endhighlight %}', '```ruby\nputs 1\n```'],
  ['![Dock]({{ site.baseurl }}/images/dock.jpg){: .wide }', '![Dock](/images/dock.jpg)'],
  ['See [it]({% post_url 2023-03-01-other %}).', 'See [it](/portal/weekly-drops/other).'],
  [
    'See [it]({{< ref "posts/2023-03-01-other.md" >}}) and [that](../other/).',
    'See [it](/portal/weekly-drops/other) and [that](/portal/weekly-drops/other).',
  ],
  ['{{< figure src="/a.jpg" title="The dock" >}}', '![The dock](/a.jpg)\n\n*The dock*'],
  ['{{< youtube abcdefghijk >}}', '[www.youtube.com](https://www.youtube.com/watch?v=abcdefghijk)'],
  ['{{% notice tip %}}\nBring boots.\n{{% /notice %}}', '> [!TIP]\n> Bring boots.'],
  ['A paragraph.\n{: .lead}', 'A paragraph.'],
  [
    'See [[Tide tables]], [[Tide tables|these]] and [[Nothing]].',
    'See [Tide tables](/portal/weekly-drops/tide-tables), [these](/portal/weekly-drops/tide-tables) and Nothing.',
  ],
  ['![[my dock.png]]', '![my dock](my%20dock.png)'],
  ['![x](<my dock.png>)', '![x](my%20dock.png)'],
  ['One %%secret%%two.', 'One two.'],
  ['One <!-- secret --> two.', 'One two.'],
  ['==marked== words ^abc123', 'marked words'],
  ['- [x] done\n- [ ] open', '- ☑ done\n- ☐ open'],
  [
    'Dear {{ subscriber.first_name | default: "you" }}, {{first_name|there}}',
    'Dear {{first_name|you}}, {{first_name|there}}',
  ],
  ['[a](http://a.example/b)', '[a](https://a.example/b)'],
  [
    '`{% raw %}`, `%%x%%`\n\n```\n{{< ref >}} {{ page.x }} [[y]]\n```',
    '`{% raw %}`, `%%x%%`\n\n```\n{{< ref >}} {{ page.x }} [[y]]\n```',
  ],
])('%s becomes %s', async (written, becomes) => expect(await textOf(written)).toBe(becomes))

test.each([
  '{% include other.html %}',
  '{{< paywall >}}Text{{< /paywall >}}',
  '{% if user.paid %}Text{% endif %}',
  '{{ page.title }}',
  '{{% x %}}',
])('code of the old site that we don’t know keeps a post a draft: %s', async (code) =>
  expect(await read(`Text.\n\n${code}`)).toMatchObject({
    blockers: [
      expect.stringContaining('code of its old site'),
      ...(code.match(/\{[{%]/g)?.length === 2 ? [expect.anything()] : []),
    ],
  }),
)

test('merge fields of Ghost, Mailchimp and Substack never stay as they are', async () => {
  const html =
    '<p>Hi %%{first_name, "there"}%%, {first_name}, {name, "friend"}, *|FNAME|*, *|LIST:COMPANY|*.</p><p>%%checkout_url%% {uuid}</p>'
  const [post] = readGhost(
    JSON.stringify({ data: { posts: [{ id: 1, title: 'T', status: 'published', visibility: 'public', html }] } }),
  )
  if (!post) throw new Error('no post')
  const { parts } = await convertPost(post)
  expect(parts[0]?.text).toBe('Hi {{first_name|there}}, {{first_name}}, friend, {{first_name}}, .')
})

test('links between posts of the file lead to their drops', async () => {
  const html =
    '<p><a href="__GHOST_URL__/second/">a</a> <a href="/second/">b</a> <a href="https://x.substack.com/p/second">c</a> <a href="__GHOST_URL__/about/">d</a> <a href="https://a.example/second">e</a></p>'
  const all = readGhost(
    JSON.stringify({
      data: {
        posts: [
          {
            id: 1,
            title: 'First',
            slug: 'first',
            status: 'published',
            visibility: 'public',
            published_at: '2024-01-01',
            html,
          },
          {
            id: 2,
            title: 'Second',
            slug: 'second',
            status: 'published',
            visibility: 'public',
            published_at: '2024-01-01',
            html: '',
          },
        ],
      },
    }),
  )
  const { parts } = await convertPost(all[0] as (typeof all)[number], createOwnLinks(all))
  const drop = '/portal/weekly-drops/second'
  expect(parts[0]?.text).toBe(`[a](${drop}) [b](${drop}) [c](${drop}) d [e](https://a.example/second)`)
})
