import { z } from 'zod'
import { directionOverrides } from '#shared/domain/direction-overrides.ts'

/** A text of several lines, without control characters and overrides of the text direction. */
export const noteText = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `Use at most ${maxLength.toLocaleString('en-US')} characters`)
    .transform((text) =>
      text
        .replaceAll(/\r\n?/g, '\n')
        .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
        .replaceAll(directionOverrides, '')
        .trim(),
    )
