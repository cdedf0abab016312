import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { copyToClipboard } from '#client/ui/copy-to-clipboard.ts'
import type { Guard } from './use-paste-guard.tsx'

/** An AI assistant that a prompt can be opened in. */
type Assistant = {
  name: string
  /** Where a new conversation starts. The reader pastes the prompt there. */
  start: string
}

/** None of them documents a web address that fills in the prompt (decision 30). */
const assistants: readonly Assistant[] = [
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
const claudeAppLink = (prompt: string): string | null =>
  prompt.length <= maxAppLinkLength ? `claude://claude.ai/new?q=${encodeURIComponent(prompt)}` : null

/** The address exists only for the moment of the click and leaves no referrer. */
function openLink(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.rel = 'noopener noreferrer'
  if (address.startsWith('https:')) link.target = '_blank'
  link.click()
}

type AssistantListProps = {
  /** The filled-in prompt. */
  text: string
  /** Asks first if the prompt's label or its text requires it. */
  guard: Guard
  onCopied: () => void
}

/** Opens a filled-in prompt in an assistant. */
export default function AssistantList({ text, guard, onCopied }: AssistantListProps) {
  const handleOpen = (name: string, start: string) =>
    guard(async (checked) => {
      const copied = await copyToClipboard(checked)
      announce(copied ? `Copied. Paste it in ${name}.` : 'Your browser blocked copying. Copy the text by hand.')
      onCopied()
      openLink(start)
    })

  const handleOpenApp = (checked: string) => {
    const link = claudeAppLink(checked)
    if (link) openLink(link)
  }
  return (
    <>
      <p className="text-muted">We copy the prompt and open a new chat, where you paste it.</p>
      <p className="mt-2 flex flex-wrap gap-2">
        {assistants.map(({ name, start }) => (
          <Button key={name} variant="secondary" size="sm" onClick={() => handleOpen(name, start)}>
            {name}
          </Button>
        ))}
      </p>
      {claudeAppLink(text) && (
        <p className="mt-3 flex flex-wrap items-center gap-x-2 [@media(pointer:coarse)]:hidden">
          <span className="text-muted">In Claude’s app for Mac or Windows, the prompt is already filled in:</span>
          <Button variant="quiet" size="sm" className="-ml-3" onClick={() => guard(handleOpenApp)}>
            Open the Claude app
          </Button>
        </p>
      )}
      {publication.assistants !== 'off' && (
        <p className="mt-3">
          <Link to="/portal/assistants" className="text-link">
            Connect your assistant
          </Link>{' '}
          <span className="text-muted">to have it find and fill in prompts by itself.</span>
        </p>
      )}
    </>
  )
}
