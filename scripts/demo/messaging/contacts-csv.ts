const firstNames = [
  'Aisha',
  'Arjun',
  'Mei',
  'Omar',
  'Nurul',
  'Ravi',
  'Siti',
  'Wei',
  'Fatima',
  'Daniel',
  'Priya',
  'Hassan',
  'Lina',
  'Kumar',
  'Sofia',
  'Yusuf',
  'Anita',
  'Chen',
  'Layla',
  'Tomas',
];
const cities = ['Kuala Lumpur', 'Penang', 'Johor Bahru', 'Ipoh', 'Kota Kinabalu'];

/** How many of the contacts are in the segment that the broadcast goes to. */
export const offerCount = 800;

/** A customer list as a shop exports it; two lines of it are invalid. */
export function contactsCsv(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const name = firstNames[at % firstNames.length]!;
    const phone = `+6012${String(3_000_000 + at)}`;
    const segments = at < offerCount ? 'customers|raya offer' : 'customers';
    return `${phone},${name},${segments},${cities[at % cities.length]},${at % 7}`;
  });
  const faulty = ['not a number,Nobody,customers,Ipoh,0', '+60,Too Short,customers,Ipoh,0'];
  return ['phone,name,segments,city,orders', ...rows, ...faulty, ''].join('\n');
}
