/** An AI assistant that a prompt can be opened in. */
export type Assistant = {
  name: string
  /** Where a new conversation starts. The reader pastes the prompt there. */
  start: string
}

/** None of them documents a web address that fills in the prompt (decision 30). */
export const assistants: readonly Assistant[] = [
  { name: 'ChatGPT', start: 'https://chatgpt.com/' },
  { name: 'Claude', start: 'https://claude.ai/new' },
  { name: 'Gemini', start: 'https://gemini.google.com/app' },
  { name: 'Copilot', start: 'https://copilot.microsoft.com/' },
]

/** Longer prompts are cut off by the app. */
const maxAppLinkLength = 14_000

/**
 * The documented link of Claude's app for macOS and Windows, with the prompt filled in; null if it is too long.
 * https://support.claude.com/en/articles/14729294-open-claude-desktop-with-a-link
 */
export const claudeAppLink = (prompt: string): string | null =>
  prompt.length <= maxAppLinkLength ? `claude://claude.ai/new?q=${encodeURIComponent(prompt)}` : null

/** The address exists only for the moment of the click and leaves no referrer. */
export function openLink(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.rel = 'noopener noreferrer'
  if (address.startsWith('https:')) link.target = '_blank'
  link.click()
}
