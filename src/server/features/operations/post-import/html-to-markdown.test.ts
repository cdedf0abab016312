import { expect, test } from 'vitest'
import { htmlToMarkdown, htmlToParts } from './html-to-markdown.ts'

test('Ghost’s callout cards and button cards become ours', () => {
  const html = `<p>Before</p>
<div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Count <b>twice</b>.</div></div>
<div class="kg-card kg-button-card kg-align-center"><a href="https://a.example/x(1)" class="kg-btn kg-btn-accent">Book [now]</a></div>`
  expect(htmlToMarkdown(html)).toEqual({
    markdown: 'Before\n\n> [!NOTE]\n> Count **twice**.\n\n[Book now](https://a.example/x%281%29 "button")',
    notes: [],
  })
})

test('a button with a script or an address of the source is left out, with a note', () => {
  const card = (href: string) => `<div class="kg-card kg-button-card"><a href="${href}" class="kg-btn">Go</a></div>`
  expect(htmlToMarkdown(`<p>Text</p>${card('javascript:alert(1)')}${card('#/portal/signup')}`)).toEqual({
    markdown: 'Text',
    notes: ['Removed: a link that only works at the source'],
  })
})

test('addresses without a protocol, and http addresses of buttons, are kept', () => {
  const html = `<p><a href="//a.example/two">two</a> <img src="//a.example/a.jpg" alt="Till"></p>
<iframe src="//www.youtube.com/embed/abc"></iframe><div class="kg-card kg-bookmark-card"><a href="//a.example/page">Page</a></div>
<div class="kg-card kg-button-card"><a href="http://a.example/book" class="kg-btn">Book</a></div>`
  const { markdown } = htmlToMarkdown(html)
  expect(markdown.split(/\n+/)).toEqual([
    '[two](https://a.example/two) ![Till](https://a.example/a.jpg)',
    '[www.youtube.com](https://www.youtube.com/embed/abc)',
    '[https://a.example/page](https://a.example/page)',
    '[Book](http://a.example/book "button")',
  ])
})

test('a drawing of many shapes isn’t nested, and elements in each other are', () => {
  const shapes = '<path d="M0 0h1"/><circle r="1" />'.repeat(500)
  expect(htmlToMarkdown(`<p>Text</p><svg viewBox="0 0 9 9">${shapes}</svg>`)).toEqual({
    markdown: 'Text',
    notes: ['Removed: a drawing (SVG)'],
  })
  expect(() => htmlToMarkdown('<div>'.repeat(401))).toThrow('nested too deeply')
})

const substackImage =
  'https://substackcdn.com/image/fetch/$s_!AbCd!,w_1456,c_limit,f_auto/https%3A%2F%2Fimages.example%2Fpublic%2Ftill_1456x816.png'

test.each<[kind: string, html: string, markdown: string]>([
  [
    'a line break in bold words',
    '<p><strong>Line one<br><br>Line two</strong> end.</p>',
    '**Line one**  \n  \n**Line two** end.',
  ],
  ['a break at the end of bold and slanted words', '<p><b><i>Worse.<br></i></b>So</p>', '***Worse.***  \nSo'],
  ['a paragraph in a link', '<a href="https://a.example"><p>This is it.</p></a>', '[This is it.](https://a.example)'],
  [
    'paragraphs, breaks and lists in cells',
    '<table><tr><th>A</th><th>B</th></tr><tr><td><p>a1</p><p>a2</p></td><td>b1<br>b2<ul><li>x</li><li>y</li></ul></td></tr></table>',
    '| A   | B   |\n| --- | --- |\n| a1 a2 | b1 b2 x; y |',
  ],
  [
    'cells over columns and rows',
    '<table><tr><th colspan="2">Head</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>',
    '| Head |     |\n| --- | --- |\n| 1   | 2   |\n|     | 3   |',
  ],
  ['preformatted text with breaks', '<pre>line 1<br>  line 2</pre>', '```\nline 1\n  line 2\n```'],
  [
    'code with a fence in it',
    '<pre><code class="language-md">```\n# no heading\n```</code></pre>',
    '````md\n```\n# no heading\n```\n````',
  ],
  ['a list that begins at five', '<ol start="5"><li>Five</li><li>Six</li></ol>', '5. Five\n6. Six'],
  ['raised and lowered text', '<p>x<sup>2</sup> and H<sub>2</sub>O</p>', 'x² and H₂O'],
  ['underlined words', '<p>Read <u>all</u> of it.</p>', 'Read all of it.'],
  [
    'parentheses in an image address',
    '<img src="https://a.example/till (1).png" alt="Till">',
    '![Till](https://a.example/till%20%281%29.png)',
  ],
  [
    'Substack’s image with a caption, linked to itself',
    `<div class="captioned-image-container"><figure><a class="image-link" href="${substackImage}"><div><picture><img src="${substackImage}" alt=""></picture><div class="image-link-expand"><button><svg></svg></button></div></div></a><figcaption>The till at noon</figcaption></figure></div>`,
    '![The till at noon](https://images.example/public/till_1456x816.png)\n\n*The till at noon*',
  ],
  [
    'Substack’s footnotes',
    '<p>We counted<a class="footnote-anchor" href="#footnote-1">1</a>.</p><div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>Twice a day.</p></div></div>',
    'We counted¹.\n\n1. Twice a day.',
  ],
  [
    'Substack’s buttons: one that leads elsewhere stays',
    '<p class="button-wrapper"><a class="button primary" href="https://x.substack.com/subscribe?"><span>Subscribe now</span></a></p><p class="button-wrapper"><a class="button" href="https://a.example/book"><span>Book a call</span></a></p>',
    '[Book a call](https://a.example/book "button")',
  ],
  [
    'Substack’s gallery',
    `<div class="image-gallery-embed" data-attrs="{&quot;gallery&quot;:{&quot;images&quot;:[{&quot;src&quot;:&quot;https://images.example/a.jpeg&quot;}],&quot;caption&quot;:&quot;Two tills&quot;}}"></div>`,
    '![Two tills](https://images.example/a.jpeg)\n\n*Two tills*',
  ],
  [
    'a formula of Substack',
    '<div class="latex-rendered" data-attrs="{&quot;persistentExpression&quot;:&quot;a=b&quot;}"></div>',
    '```\na=b\n```',
  ],
  ['bold before a word', '<p><strong>Note:</strong>keep <b>(it)</b>s</p>', '**Note**:keep (**it**)s'],
  ['bold in CJK', '<p>含<strong>「重点」</strong>内容</p>', '含「**重点**」内容'],
  ['bold next to bold, and in bold', '<p><b>One</b><strong>two <b>three</b></strong></p>', '**Onetwo three**'],
  [
    'a bold link',
    '<p><b><a href="https://a.example">Read (it)</a></b>now</p>',
    '[**Read (it)**](https://a.example)now',
  ],
  ['a list beside its item', '<ul><li>A</li><ul><li>B</li></ul><li>C</li></ul>', '- A\n  - B\n- C'],
  ['two lists in a row', '<ol><li>a</li></ol><ol><li>b</li></ol><ul><li>c</li></ul>', '1. a\n\n1) b\n\n- c'],
  ['a number in a list', '<ol><li>a</li><li value="5">b</li></ol>', '1. a\n\n5) b'],
  ['a written reference', '<p>&amp;copy; &amp;amp;</p><p>1) one</p>', '\\&copy; \\&amp;\n\n1\\) one'],
  [
    'check boxes',
    '<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>',
    '- ☑ a\n- ☐ b',
  ],
  [
    'an audio card, which the import looks for in the export',
    '<div class="kg-card kg-audio-card"><audio src="__GHOST_URL__/content/a.mp3"></audio><div class="kg-audio-title">Talk</div><span>0:00</span></div>',
    '[Talk](__GHOST_URL__/content/a.mp3 "audio")',
  ],
  [
    'a file card',
    '<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="__GHOST_URL__/content/files/a.pdf" title="Download"><div class="kg-file-card-title">List [1]</div><div class="kg-file-card-caption">For May</div><div class="kg-file-card-filename">a.pdf</div></a></div>',
    '[List 1](__GHOST_URL__/content/files/a.pdf "file")\n\nFor May',
  ],
  [
    'a file card with a program',
    '<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="https://a.example/a.exe"><div class="kg-file-card-title">Run</div></a></div>',
    '[Run](https://a.example/a.exe)',
  ],
  [
    'a bookmark whose picture is in the export',
    '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://a.example/b"><div class="kg-bookmark-content"><div class="kg-bookmark-title">Fees</div><div class="kg-bookmark-description">What changes</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="https://a.example/i.ico"></div></div><div class="kg-bookmark-thumbnail"><img src="__GHOST_URL__/content/images/t.png" alt=""></div></a></figure>',
    '> [!BOOKMARK]\n> ![Fees](__GHOST_URL__/content/images/t.png)\n>\n> [Fees](https://a.example/b)\n>\n> What changes',
  ],
  [
    'a bookmark whose picture is elsewhere',
    '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://a.example/b"><div class="kg-bookmark-title">Fees</div><div class="kg-bookmark-thumbnail"><img src="https://a.example/t.png"></div></a></figure>',
    '> [!BOOKMARK]\n> [Fees](https://a.example/b)',
  ],
  [
    'a toggle of Ghost',
    '<div class="kg-card kg-toggle-card"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text"><span>What else?</span></h4><button class="kg-toggle-card-icon"></button></div><div class="kg-toggle-content"><p>One</p><ul><li>Two</li></ul></div></div>',
    '> [!TOGGLE]\n> What else?\n>\n> One\n>\n> - Two',
  ],
  [
    'details of WordPress',
    '<details class="wp-block-details"><summary>More</summary><p>Text</p></details>',
    '> [!TOGGLE]\n> More\n>\n> Text',
  ],
  [
    'a gallery of Ghost',
    '<figure class="kg-card kg-gallery-card"><div class="kg-gallery-row"><div class="kg-gallery-image"><img src="https://a.example/1.png" alt="One"></div><div class="kg-gallery-image"><img src="https://a.example/2.png" alt="Two"></div></div><figcaption>Both</figcaption></figure>',
    '> [!GALLERY]\n> ![One](https://a.example/1.png)\n>\n> ![Two](https://a.example/2.png)\n\nBoth',
  ],
  [
    'a file and a sound of WordPress',
    '<div class="wp-block-file"><a href="https://a.example/p.pdf">Plan</a><a href="https://a.example/p.pdf" class="wp-block-file__button" download>Download</a></div><figure class="wp-block-audio"><audio controls src="https://a.example/talk.mp3"></audio></figure>',
    '[Plan](https://a.example/p.pdf "file")\n\n[talk.mp3](https://a.example/talk.mp3 "audio")',
  ],
  [
    'an embedded player of YouTube and of Vimeo',
    '<figure class="kg-card kg-embed-card"><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?feature=oembed" title="Talk"></iframe></figure><iframe src="https://player.vimeo.com/video/12345?h=1"></iframe>',
    '[Talk](https://www.youtube.com/watch?v=dQw4w9WgXcQ)\n\n[player.vimeo.com](https://vimeo.com/12345)',
  ],
  [
    'an embedded post of Substack',
    '<div class="digest-post-embed" data-attrs="{&quot;title&quot;:&quot;Fees&quot;,&quot;caption&quot;:&quot;What changes&quot;,&quot;canonical_url&quot;:&quot;https://a.example/b&quot;}"></div>',
    '> [!BOOKMARK]\n> [Fees](https://a.example/b)\n>\n> What changes',
  ],
  [
    'a product',
    '<div class="kg-card kg-product-card"><h4 class="kg-product-card-title">Till</h4><div class="kg-product-card-description"><p>It counts.</p></div><a class="kg-product-card-button" href="https://a.example/x">Buy</a></div>',
    '**Till**\n\nIt counts.\n\n[Buy](https://a.example/x "button")',
  ],
  [
    'a mention and a tweet of Substack',
    '<p>By <span class="mention-wrap" data-attrs="{&quot;name&quot;:&quot;Rosa&quot;}"></span>.</p><div class="tweet" data-attrs="{&quot;full_text&quot;:&quot;High water.&quot;,&quot;username&quot;:&quot;rosa&quot;,&quot;url&quot;:&quot;https://x.example/1&quot;}"></div>',
    'By Rosa.\n\n> High water.\n> \n> — [@rosa](https://x.example/1)',
  ],
])('%s leaves no debris', (_, html, markdown) => {
  const converted = htmlToMarkdown(html)
  expect(converted.markdown).toBe(markdown)
})

test('what only works at Substack is left out, and each kind is noted', () => {
  const html = `<p>Text</p><div class="poll-embed" data-attrs="{broken"></div><div class="native-video-embed"></div>
<p class="button-wrapper"><a class="button" href="https://x.substack.com/p/a/comments"><span>Leave a comment</span></a></p>`
  expect(htmlToMarkdown(html)).toEqual({
    markdown: 'Text',
    notes: [
      'Removed: a poll',
      'Removed: a video or audio file of Substack',
      'Removed: a Subscribe, Share or Comment button',
    ],
  })
})

test('a button to another post of the file leads to its drop', () => {
  const html = '<div class="kg-button-card"><a href="__GHOST_URL__/later/" class="kg-btn">Read on</a></div>'
  const ownLinks = (address: string) => (address === '__GHOST_URL__/later/' ? '/portal/weekly-drops/later' : null)
  expect(htmlToParts(html, 'public', ownLinks).parts).toEqual([
    { text: '[Read on](/portal/weekly-drops/later "button")', isOpen: true },
  ])
})
