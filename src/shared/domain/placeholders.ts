/** A stretch of a prompt. `at` counts characters from the start of the prompt. */
export type PromptPart = { text: string; isPlaceholder: boolean; at: number }

/** Splits a prompt into running text and its placeholders, "[store name]". Joining the parts gives the prompt back. */
export function splitPlaceholders(body: string): PromptPart[] {
  let at = 0
  return body
    .split(/(\[[^[\]]+\])/)
    .filter((text) => text !== '')
    .map((text) => {
      const part = { text, isPlaceholder: /^\[[^[\]]+\]$/.test(text), at }
      at += text.length
      return part
    })
}

export const countPlaceholders = (body: string) => splitPlaceholders(body).filter((part) => part.isPlaceholder).length
