import type { Random } from './random.ts'

/** A made-up person. */
export interface DemoPerson {
  first_name: string
  last_name: string
  email: string
  company_name: string
  position: string
}

/** First and last names of one language each. */
const names: [first: string, last: string][] = [
  ['Zoë Camille Élodie Hugo Théo Inès Lucas Maëlle', 'Lefèvre Moreau Girard Chevalier Noël Barbé'],
  ['Jürgen Anke Sören Käthe Lukas Heike Björn Grete', 'Müller Schröder Weiß Köhler Vogt Brandt'],
  ['Íñigo Begoña Álvaro Lucía Nuria Rubén Marta Joaquín', 'Muñoz Ibáñez Ortega Peña Vázquez Cruz'],
  ['Giulia Niccolò Chiara Matteo Ilaria Lorenzo Noemi Ugo', 'Bianchi Rinaldi Galli Ferri Donà Costa'],
  ['João Inês Tomás Beatriz Gonçalo Luísa Davi Conceição', 'Carvalho Araújo Simões Brandão Teles Nóbrega'],
  ['Łukasz Małgorzata Paweł Agnieszka Zbigniew Kasia', 'Wójcik Żak Śliwa Jabłoński Nowicka Gołąb'],
  ['Aiko Haruto Yuki Ren Sakura Daichi', 'Ōno Satō Kobayashi Yamamoto Hayashi Mori'],
  ['Ngozi Chidi Amara Kwame Abena Sefu Zuri Tunde', 'Okafor Mensah Adeyemi Diallo Mwangi Abara'],
  ['Priya Arjun Ananya Rohan Meera Vikram', 'Sharma Iyer Banerjee Reddy Chaudhary Nair'],
  ['Layla Omar Yasmin Karim Nour Samir', 'Haddad Mansour Farouk Khalil Saleh Aziz'],
  ['Đức Hương Minh Thảo Quân Linh', 'Nguyễn Trần Phạm Đặng Võ Bùi'],
  ['Aoife Conor Siân Rhys Maeve Owen Fiona Angus', "O'Brien MacLeod Llewellyn Byrne Pryce Kerr"],
  ['Ayşe Emre Gülşen Mert Çağla İlker', 'Yılmaz Öztürk Şahin Çelik Doğan Güneş'],
  ['Олена Тарас Марія Андрій Оксана Дмитро', 'Шевченко Коваль Бондар Мельник Гнатюк Лис'],
  ['伟 芳 娜 敏 静 磊', '王 李 张 刘 陈 杨'],
  ['지우 서연 민준 하은 도윤 수아', '김 이 박 최 정 강'],
]
const people = names.map(([first, last]) => ({ first: first.split(' '), last: last.split(' ') }))
const companies = [
  'Northwind Cables',
  'Färberei Nord',
  'Atelier Lumière',
  'Kumo Systems',
  'Baobab Energy',
  'Casa Verde',
  'Óbuda Optika',
  'Rio Claro Foods',
  'Tidewater Labs',
  'Zephyr & Söhne',
]
const positions = [
  'Engineer',
  'Directrice artistique',
  'Einkäufer',
  'Product manager',
  'Responsable de prensa',
  'Researcher',
  'Student',
  'Founder',
  'Technician',
  'Editor',
]

/** Makes a person up. The e-mail address has a domain that cannot exist (RFC 2606). */
export function makePerson(random: Random, number: number): DemoPerson {
  const { first, last } = random.pick(people)
  return {
    first_name: random.pick(first),
    last_name: random.pick(last),
    email: `guest-${number}@demo.invalid`,
    company_name: random.pick(companies),
    position: random.pick(positions),
  }
}
