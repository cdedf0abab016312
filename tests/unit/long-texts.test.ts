import { expect, test } from 'vitest'
import { checkMarkdown } from '#shared/domain/check-content.ts'
import { imagesIn, linksIn } from '#shared/domain/markdown-images.ts'

/** Beginnings without an end, at each of which a careless check would read on to the end of the text. */
test.each(['![](', '![', '[', '](', '> [', '[store_name: ', '1+', '=', '$1 + ', '\n', '`', '![](\\\\'])(
  'a megabyte of %j is checked within the time of a test',
  (opening) => {
    const text = opening.repeat(Math.ceil(1_000_000 / opening.length))
    expect(imagesIn(text)).toEqual([])
    expect(linksIn(text)).toEqual([])
    expect(Array.isArray(checkMarkdown(['body'], text))).toBe(true)
  },
  20_000,
)
