import { expect, test } from 'vitest'
import { inOwnWords, ownWordDefaults, ownWordsOf, pluralOf, wordsOfTitle } from './own-words.ts'

const words = (title: string) => {
  const { drop, drops } = wordsOfTitle(title)
  return `${drop}, ${drops}`
}

test('words go with the title of the list', () => {
  expect(wordsOfTitle('Weekly Drops')).toEqual(ownWordDefaults)
  const titles = [
    'Recipes',
    'Weekly Essays',
    'Stories',
    'Movies',
    'Notes from Ana',
    'Letters & more',
    'Dispatches',
    'FAQs',
  ]
  expect(titles.map(words)).toEqual([
    'recipe, recipes',
    'essay, essays',
    'story, stories',
    'movie, movies',
    'note, notes',
    'letter, letters',
    'dispatch, dispatches',
    'FAQ, FAQs',
  ])
})

test('below a title that is no plural are issues', () => {
  expect(['Latest', 'News', 'The Bus', 'Rezepte', '記事', ''].map(words)).toEqual(Array(6).fill('issue, issues'))
})

test('the plural of a word of the publisher', () => {
  expect(['recipe', 'story', 'essay', 'dispatch', 'box'].map(pluralOf)).toEqual([
    'recipes',
    'stories',
    'essays',
    'dispatches',
    'boxes',
  ])
})

test('texts of ours follow the words, with article, number and capital', () => {
  const own = (title: string, text: string) => inOwnWords({ words: wordsOfTitle(title) }, text)
  expect(own('Recipes', 'No drops yet')).toBe('No recipes yet')
  expect(own('Recipes', 'Drop not found')).toBe('Recipe not found')
  expect(own('Essays', 'A drop, and a weekly drop')).toBe('An essay, and an essay')
  expect(own('Recipes', 'Weekly Drops')).toBe('Recipes')
  expect(own('Recipes', 'Weekly drops are off')).toBe('Recipes are off')
  expect(own('Weekly Recipes', 'Weekly Drops: a weekly drop')).toBe('Weekly Recipes: a weekly recipe')
  expect(own('Drops', 'The weekly drops')).toBe('The drops')
  expect(own('Recipes', 'Drop-down, backdrop, dropped, /drops')).toContain('backdrop, dropped')
  expect(own('Weekly Drops', 'A weekly drop')).toBe('A weekly drop')
})

test('what is filled in stays as the publisher wrote it', () => {
  const own = ownWordsOf({ words: wordsOfTitle('Recipes') })
  expect(own`Move the drop “${'A drop of milk'}”`).toBe('Move the recipe “A drop of milk”')
})
