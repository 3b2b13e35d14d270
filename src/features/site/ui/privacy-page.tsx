import { paths } from '#web/paths.ts'

import { LegalPage } from './legal-page.tsx'
import text from './privacy.md?raw'

export default function PrivacyPage() {
  return <LegalPage path={paths.privacy} text={text} />
}
