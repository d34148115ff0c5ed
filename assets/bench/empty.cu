// A program without a launch: what every run takes.
int main()
{
}
