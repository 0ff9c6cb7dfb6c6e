export const token = () => 'secret';
