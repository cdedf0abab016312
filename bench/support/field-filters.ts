/*
 * Filters and segments of the members list by the fields of `many-field-values.ts`.
 */

const variants = (conditions: readonly object[]) => conditions.map((condition) => ({ fields: [condition] }))

export const fieldFilters: Record<string, object[]> = {
  'field text: common word': variants([{ field: 1, words: 'north' }]),
  'field text: rare words': variants(['store 4160', 'store 77', '12000'].map((words) => ({ field: 1, words }))),
  'field text: city': variants(['City3', 'city120', 'city400'].map((words) => ({ field: 2, words }))),
  'field text: few answers': variants(['friend 12', 'friend 4000'].map((words) => ({ field: 3, words }))),
  'field choice: common': variants([{ field: 4, anyOf: ['small'] }]),
  'field choice: several': variants([{ field: 5, anyOf: ['region1', 'region7', 'region11'] }]),
  'field choice: one of 8': variants(['role6', 'role7'].map((key) => ({ field: 6, anyOf: [key] }))),
  'field choice: one of 50': variants(['supplier48', 'supplier20'].map((key) => ({ field: 8, anyOf: [key] }))),
  'field choices': variants(['interest1', 'interest7'].map((key) => ({ field: 9, anyOf: [key] }))),
  'field number: common': variants([{ field: 12, min: 1, max: 10 }]),
  'field number: range': variants([20, 45, 70].map((min) => ({ field: 12, min, max: min + 15 }))),
  'field number: narrow': variants([240, 310].map((at) => ({ field: 13, min: at * 10_000, max: at * 10_000 + 9_999 }))),
  'field number: negative': variants([{ field: 14, min: null, max: -40 }]),
  'field number: exact': variants([30, 12].map((at) => ({ field: 15, min: at, max: at }))),
  'field date: day': variants([{ field: 16, from: '2016-04-20', to: '2016-04-20' }]),
  'field date: quarter': variants([{ field: 18, from: '2026-12-01', to: '2027-02-28' }]),
  'field date: years': variants([{ field: 17, from: '1970-03-01', to: '1990-08-31' }]),
  'field date: from': variants(['2030-11-01', '2028-01-01'].map((from) => ({ field: 18, from, to: null }))),
  'field date: until': variants([{ field: 16, from: null, to: '1990-02-28' }]),
  'field yes': variants([{ field: 19, anyOf: ['yes'] }]),
  'field no: old members': variants([{ field: 20, anyOf: ['no'] }]),
  'field answered by few': variants([{ field: 3, filled: true }]),
  'field not answered by few': variants([{ field: 10, filled: false }]),
  'field not answered by many': variants([{ field: 3, filled: false }]),
}

export const segmentConditions: object[][] = [
  [{ field: 4, anyOf: ['large'] }],
  [
    { field: 4, anyOf: ['small'] },
    { field: 5, anyOf: ['region0', 'region1'] },
  ],
  [{ field: 12, min: 50, max: null }],
  [
    { field: 12, min: 10, max: 49 },
    { field: 6, anyOf: ['role0'] },
  ],
  [
    { field: 13, min: 1_000_000, max: null },
    { field: 19, anyOf: ['yes'] },
  ],
  [{ field: 18, from: '2026-12-01', to: '2027-05-31' }],
  [
    { field: 18, from: '2026-12-01', to: '2026-12-31' },
    { field: 19, anyOf: ['no'] },
  ],
  [
    { field: 9, anyOf: ['interest0', 'interest5'] },
    { field: 10, anyOf: ['channel2'] },
  ],
  [{ field: 11, anyOf: ['language19'] }],
  [
    { field: 7, anyOf: ['industry29', 'industry28'] },
    { field: 8, anyOf: ['supplier0'] },
  ],
  [{ field: 2, words: 'city7' }],
  [
    { field: 2, words: 'city1' },
    { field: 4, anyOf: ['medium', 'large'] },
  ],
  [
    { field: 3, filled: true },
    { field: 1, filled: true },
  ],
  [{ field: 1, filled: false }],
  [
    { field: 14, min: 50, max: null },
    { field: 15, min: null, max: 2 },
  ],
  [
    { field: 14, min: null, max: 0 },
    { field: 12, min: 100, max: null },
  ],
  [{ field: 16, from: '2020-01-01', to: null }],
  [
    { field: 17, from: '1960-01-01', to: '1969-12-31' },
    { field: 16, from: '1995-01-01', to: '1999-12-31' },
  ],
  [
    { field: 20, anyOf: ['yes'] },
    { field: 19, filled: true },
  ],
  [
    { field: 1, words: 'north' },
    { field: 13, min: 10_000, max: 20_000 },
    { field: 5, anyOf: ['region11'] },
  ],
]
