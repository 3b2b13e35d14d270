import { type SummaryLanguage, summaryLanguages } from '#shared/business.ts'
import { Select } from '#web/ui/select.tsx'

export function SummaryLanguageSelect({
  value,
  describedBy,
  disabled = false,
  onChange,
}: {
  value: SummaryLanguage
  describedBy: string
  disabled?: boolean
  onChange: (language: SummaryLanguage) => void
}) {
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
