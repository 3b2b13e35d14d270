/** A sentence for each font package of package.json that files are drawn with, in its own letters. */
import { readFileSync } from 'node:fs'

const { dependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { dependencies: Record<string, string> }

export const fontPackages = Object.keys(dependencies).filter((name) => name.includes('/noto-sans'))

export const writings: Readonly<Record<string, string>> = {
  '@fontsource-variable/noto-sans-kr':
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 김치 것',
  '@fontsource-variable/noto-sans-sc':
    '人人生而自由，在尊严和权利上一律平等。這是一個測試。すべての人間は、生まれながらにして自由である。カタカナ',
  '@fontsource/noto-sans':
    'Zażółć gęślą jaźń, Příliš žluťoučký kůň, Größe, ça, ñandú, İstanbul, Съешь же ещё этих мягких французских булок, Γειά σου Κόσμε, Tiếng Việt, मानव को जन्मजात स्वतन्त्रता और समानता प्राप्त है',
  '@fontsource/noto-sans-arabic':
    'يولد جميع الناس أحرارًا متساوين في الكرامة (123) وبعض English words، قَالُوا سَلَٰمٌۖ تمام انسان آزاد پیدا ہوئے ہیں',
  '@fontsource/noto-sans-armenian': 'Բոլոր մարդիկ ծնվում են ազատ ու հավասար',
  '@fontsource/noto-sans-bengali': 'সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।',
  '@fontsource/noto-sans-ethiopic': 'የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።',
  '@fontsource/noto-sans-georgian': 'ყველა ადამიანი იბადება თავისუფალი და თანასწორი',
  '@fontsource/noto-sans-gujarati':
    'પ્રતિષ્ઠા અને અધિકારોની દૃષ્ટિએ સર્વ માનવો જન્મથી સ્વતંત્ર અને સમાન હોય છે. અંગ્રેજી',
  '@fontsource/noto-sans-gurmukhi':
    'ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ, ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਜਨਮ ਤੋਂ ਹੀ ਆਜ਼ਾਦ ਹੈ। ਪੰਜਾਬੀ ਸਿੰਘ',
  '@fontsource/noto-sans-hebrew': 'כל בני האדם נולדו בני חורין, זה "מבחן" שָׁלוֹם',
  '@fontsource/noto-sans-kannada':
    'ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಹುಟ್ಟಿದ್ದಾರೆ. ಹಾಗೂ ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ಸಮಾನರಾಗಿದ್ದಾರೆ.',
  '@fontsource/noto-sans-khmer': 'មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងភាពស្មើៗគ្នា។ ភាសាខ្មែរ ប៉ុន្តែ ស៊ី កំពុង',
  '@fontsource/noto-sans-lao': 'ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ ສິດທິ ເສລີພາບ ແລະ ຄວາມສະເໝີພາບເທົ່າທຽມກັນ',
  '@fontsource/noto-sans-malayalam':
    'മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചവരാണ്. മലയാളം പുസ്തകം',
  '@fontsource/noto-sans-math': '∑ ≥ ≠ ↑ ↓',
  '@fontsource/noto-sans-myanmar': 'လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် မွေးဖွားလာသူများ ဖြစ်သည်။',
  '@fontsource/noto-sans-sinhala': 'සියලු මනුෂ්‍යයෝ නිදහස්ව උපත ලබා ඇත. ගරුත්වයෙන් හා අයිතිවාසිකම්වලින් සමාන වෙති.',
  '@fontsource/noto-sans-symbols': '⏩ ⓐ ⓑ',
  '@fontsource/noto-sans-symbols-2': '✓ ■ ★',
  '@fontsource/noto-sans-tamil': 'மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர். தமிழ் மொழி',
  '@fontsource/noto-sans-telugu': 'ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును.',
  '@fontsource/noto-sans-thai': 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ภาษาไทย ที่นี่',
}
