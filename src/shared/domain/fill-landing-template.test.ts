import { expect, test } from 'vitest'
import { fillLanding } from './fill-landing-template.ts'

test('whatever a publisher writes, the data ends at the right place and parses to the same value', () => {
  const samples = { title: '</script><script>alert(1)</script> $& <!--app-->' }
  const page = fillLanding('<div><!--app--></div>\n<!--samples-->', '<p>$&</p>', JSON.stringify(samples))
  expect(page).toContain('<div><p>$&</p></div>')
  expect(page.match(/<script/g)).toHaveLength(1)
  const [, data = ''] = /id="landing-samples">(.*)<\/script>/.exec(page) ?? []
  expect(JSON.parse(data)).toEqual(samples)
})
