import type { SettingField } from '#shared/contracts/publishing/site-settings.ts'

type SettingTextProps = { kind: SettingField['kind'] | undefined; text: string }

/** A setting to read and compare: an uploaded image as the image, anything else as its text. */
export function SettingText({ kind, text }: SettingTextProps) {
  if (!text) return <span>(empty)</span>
  if (kind === 'logo' || kind === 'icon') {
    return <img src={text} alt={`The ${kind}`} className="my-1 inline-block max-h-12 max-w-48 align-middle" />
  }
  return (
    <span dir="auto" className="whitespace-pre-wrap">
      {text}
    </span>
  )
}
