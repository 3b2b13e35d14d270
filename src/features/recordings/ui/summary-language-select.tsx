import { type SummaryLanguage, summaryLanguages } from '#shared/business.ts'
import { useCapabilities, useLacks } from '#web/capabilities.ts'
import { Select } from '#web/ui/select.tsx'

/** A choice where a model can write them; else what a summary is made of. */
export function SummaryLanguageSelect({
  value,
  describedBy,
  disabled = false,
  onChange,
}: {
  value: SummaryLanguage
  describedBy?: string | undefined
  disabled?: boolean
  onChange: (language: SummaryLanguage) => void
}) {
  const can = useCapabilities()
  const lacks = useLacks()
  if (lacks('summaryLanguages'))
    return (
      <p className="text-small text-ink-2">
        The summary is made of sentences of the transcript, in the language that is spoken. This
        server has no language model.
      </p>
    )
  if (!can('summaryLanguages')) return null
  return (
    <Select
      label="Summary Language"
      value={value}
      disabled={disabled}
      aria-describedby={describedBy}
      onChange={(event) => {
        const chosen = summaryLanguages.find(({ code }) => code === event.target.value)
        if (chosen) onChange(chosen.code)
      }}
    >
      {summaryLanguages.map(({ code, name, nativeName }) => (
        <option key={code} value={code}>
          {languageOption(code, name, nativeName)}
        </option>
      ))}
    </Select>
  )
}

function languageOption(code: SummaryLanguage, name: string, nativeName: string): string {
  if (code === 'auto') return `${name} (${nativeName})`
  return name === nativeName ? name : `${nativeName} — ${name}`
}
