import type { SettingField } from '#shared/contracts/publishing/site-settings.ts'

type SettingTextProps = { field: SettingField | undefined; text: string }

/** A setting to read and compare: an uploaded image as the image, anything else as its text. */
export function SettingText({ field, text }: SettingTextProps) {
  if (!text) return <span>(empty)</span>
  if (field?.kind === 'logo' || field?.kind === 'icon') {
    return <img src={text} alt={`The ${field.kind}`} className="my-1 inline-block max-h-12 max-w-48 align-middle" />
  }
  return (
    <span dir="auto" className="whitespace-pre-wrap">
      {field?.options?.find(({ value }) => value === text)?.label ?? text}
    </span>
  )
}
