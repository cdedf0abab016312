import { expect, test } from 'vitest'
import { inlineStyles, startAfterPaint, stylesheetOf } from '../../../scripts/build/landing-html.ts'

const html = `<head>
<script type="module" crossorigin src="/assets/index-1.js"></script>
<link rel="modulepreload" crossorigin href="/assets/vendor-2.js">
<link rel="modulepreload" crossorigin href="/assets/core-3.js">
<link rel="stylesheet" crossorigin href="/assets/style-4.css">
</head>`

test('all scripts load after the first paint', () => {
  const page = startAfterPaint(html)
  expect(page).not.toContain('modulepreload')
  expect(page).not.toContain('type="module"')
  expect(page).toContain('data-entry="/assets/index-1.js" data-parts="/assets/vendor-2.js /assets/core-3.js"')
})

test('the style sheet replaces its link unchanged', () => {
  expect(stylesheetOf(html)).toBe('assets/style-4.css')
  expect(inlineStyles(html, 'a::before{content:"$&"}\n')).toContain('<style>a::before{content:"$&"}</style>')
})

test('a page without script or style sheet, or a style sheet that closes its element, fails the build', () => {
  expect(() => startAfterPaint('<head></head>')).toThrow('module script')
  expect(() => stylesheetOf('<head></head>')).toThrow('style sheet')
  expect(() => inlineStyles(html, 'a{content:"</style>"}')).toThrow('close its own')
})
