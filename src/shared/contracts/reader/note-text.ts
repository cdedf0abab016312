import { z } from 'zod'

/** A text of several lines. Pasted control characters are left out. */
export const noteText = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `Use at most ${maxLength.toLocaleString('en-US')} characters`)
    .transform((text) =>
      text
        .replaceAll(/\r\n?/g, '\n')
        .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
        .trim(),
    )
