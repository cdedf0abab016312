import { clsx } from 'clsx'

/** One of a few words to choose among, at once and without a form: chosen ones are filled. */
export const pillStyles = (isChosen: boolean) =>
  clsx(
    'min-h-11 rounded-full border px-4 text-sm font-semibold transition-colors sm:min-h-9',
    isChosen ? 'border-primary bg-primary text-on-primary' : 'border-line-strong hover:border-ink hover:bg-sunken',
  )
